"""vocab.bin: loading against the oracle's tokenizer.json, and the index against the scan of all entries.

The scan takes about half a minute for 10 KB, so it runs once.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Callable, List, Tuple

import corpora
import pytest
from measure import timed

from tokassay import Tokenizer, formats

RUNS = 5
OURS = """
import sys, time
from tokassay import Tokenizer, formats
formats.codecs()
start = time.process_time()
tokenizer = Tokenizer.from_file(sys.argv[1])
loaded = time.process_time()
tokenizer.encode(sys.argv[2]).ids
print(loaded - start, time.process_time() - start)
"""
THEIRS = """
import sys, time, tokenizers
start = time.process_time()
tokenizer = tokenizers.Tokenizer.from_file(sys.argv[1])
loaded = time.process_time()
tokenizer.encode(sys.argv[2]).ids
print(loaded - start, time.process_time() - start)
"""


@pytest.fixture
def table(file_of: Callable[[str], Path], tmp_path: Path) -> Path:
    """The vocab.bin of qwen3."""
    path = tmp_path / "vocab.bin"
    formats.write(formats.read(file_of("qwen3")), path, "vocab.bin")
    return path


def fresh(program: str, path: Path) -> List[float]:
    """Seconds of a new process: loading, and loading with one text of 200 characters."""
    command = [sys.executable, "-c", program, str(path), corpora.code()[1000:1200]]
    return [float(word) for word in subprocess.run(command, check=True, capture_output=True).stdout.split()]


def test_loading_in_a_fresh_process(
    benchmark: Any, row: Callable[[str], None], file_of: Callable[[str], Path], table: Path
) -> None:
    pairs = [(fresh(THEIRS, file_of("qwen3")), fresh(OURS, table)) for _ in range(RUNS)]
    structure = median(theirs[1] / ours[0] for theirs, ours in pairs)
    whole = median(theirs[1] / ours[1] for theirs, ours in pairs)
    row(f"{'vocab.bin':16} load     {structure:6.2f}   with 200 characters {whole:6.2f}")
    assert benchmark.pedantic(lambda: Tokenizer.from_file(table).encode("a").ids, rounds=3) == [64]


def test_index_against_scan(benchmark: Any, row: Callable[[str], None], table: Path) -> None:
    """Reading the file and a first text; that text alone; making the index of all and a text; a text."""
    text = corpora.code()[:10_000]
    model: Any = Tokenizer.from_file(table).description.model.build()
    expected, slow = timed(lambda: [token.id for token in model.tokenize_by_scan(text)])
    fast = [_index_times(table, text, expected) for _ in range(RUNS)]
    read, first, making, warm = (median(slow / seconds for seconds in column) for column in zip(*fast))
    figures = f"read {read:6.0f}   first {first:6.0f}   made {making:6.0f}   at hand {warm:6.0f}"
    row(f"{'vocab.bin 10 KB':16} scan over index: {figures}")
    benchmark.pedantic(lambda: model.ids(text), rounds=3)


def _index_times(table: Path, text: str, expected: List[int]) -> Tuple[float, float, float, float]:
    """Seconds of file and first text, of a first text, of index and text, of a text later."""
    model: Any
    model, reading = timed(lambda: Tokenizer.from_file(table).description.model)
    ids, first = timed(lambda: model.build().ids(text))
    assert ids == expected
    model = Tokenizer.from_file(table).description.model
    _, making = timed(lambda: (model.index.by_start, model.build().ids(text)))
    again, warm = timed(lambda: model.build().ids(text))
    assert ids == again == expected
    return reading + first, first, making, warm
