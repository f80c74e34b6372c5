"""The source document's comparison of .mtok with tokenizer.txt, as ratios: loading, looking up, memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, List

import pytest

from tokassay import Tokenizer, formats

RUNS = 5
PROGRAM = """
import sys, time, tracemalloc
from tokassay import Tokenizer, formats
formats.codecs()
if sys.argv[2] == "memory":
    tracemalloc.start()
start = time.process_time()
tokenizer = Tokenizer.from_file(sys.argv[1])
loaded = time.process_time() - start
if sys.argv[2] == "memory":
    print(tracemalloc.get_traced_memory()[0])
else:
    find = tokenizer.description.model.token_to_id
    tokens = [f"{first}{second}" for first in "abcdefghij" for second in "abcdefghij"]
    start = time.process_time()
    for token in tokens:
        find(token)
    print(loaded, time.process_time() - start)
"""


@pytest.fixture
def files(file_of: Callable[[str], Path], tmp_path: Path) -> Dict[str, Path]:
    """qwen3 in both formats, with what they cannot hold left out."""
    description = formats.read(file_of("qwen3"))
    for name in ("mtok", "tokenizer.txt"):
        formats.write(formats.project(description, name), tmp_path / name, name)
    return {name: tmp_path / name for name in ("mtok", "tokenizer.txt")}


def measured(path: Path, what: str) -> List[float]:
    """One new process: seconds of loading and of 100 first look-ups, or bytes held after loading."""
    command = [sys.executable, "-c", PROGRAM, str(path), what]
    return [float(word) for word in subprocess.run(command, check=True, capture_output=True).stdout.split()]


def test_mtok_against_tokenizer_txt(
    benchmark: Any, row: Callable[[str], None], files: Dict[str, Path]
) -> None:
    times = [[measured(files[name], "time") for name in ("tokenizer.txt", "mtok")] for _ in range(RUNS)]
    load, find = (median(text[i] / binary[i] for text, binary in times) for i in (0, 1))
    held = measured(files["tokenizer.txt"], "memory")[0] / measured(files["mtok"], "memory")[0]
    row(f"{'txt over mtok':16} load {load:8.1f}   look-up {find:6.2f}   memory {held:6.1f}")
    tokenizer = benchmark.pedantic(lambda: Tokenizer.from_file(files["mtok"]), rounds=3)
    assert tokenizer.token_to_id("the") == Tokenizer.from_file(files["tokenizer.txt"]).token_to_id("the")
