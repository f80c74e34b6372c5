"""A .mtok in a fresh process: loading, the first 200 characters, look-up and memory, against the oracle.

Processor time, imports not counted; every figure is the median of fresh processes, taken in turns.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Callable, Dict, Iterator, List

import corpora
import pytest

from tokassay import FormatError, data, formats

PROCESSES = 5
CHILD = """
import json, sys, time
which, path, text = sys.argv[1:]
if which == "hf":
    from tokenizers import Tokenizer
else:
    from tokassay import Tokenizer, formats
    formats.codecs()
memory = lambda: int(open("/proc/self/statm").read().split()[1])
before, start = memory(), time.process_time()
tokenizer = Tokenizer.from_file(path)
loaded = time.process_time()
ids = tokenizer.encode(text).ids
encoded, after = time.process_time(), memory()
tokens = sorted({tokenizer.id_to_token(index) for index in ids}) * 100
found = time.process_time()
for token in tokens:
    tokenizer.token_to_id(token)
looked = (time.process_time() - found) / len(tokens)
print(json.dumps([loaded - start, encoded - start, looked, after - before, ids]))
"""
KINDS = ("mtok", "tokenizer.txt")
NAMES = ("load", "encode", "look-up", "memory")


def measured(which: str, path: Path, text: str) -> List[Any]:
    environment = {**os.environ, "PYTHONPATH": str(data.root() / "impl"), "TOKENIZERS_PARALLELISM": "false"}
    run = subprocess.run(
        [sys.executable, "-c", CHILD, which, str(path), text],
        capture_output=True,
        text=True,
        check=True,
        env={**environment, "RAYON_NUM_THREADS": "1"},
    )
    answer: List[Any] = json.loads(run.stdout)
    return answer


@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "llama2", "gemma3"])
def test_first_encoding_of_a_mtok(
    benchmark: Any,
    row: Callable[[str], None],
    file_of: Callable[[str], Path],
    tmp_path: Path,
    name: str,
) -> None:
    original, text = file_of(name), corpora.code()[1000:1200]
    files = {kind: path for kind in KINDS for path in written(original, tmp_path, kind)}
    benchmark.pedantic(lambda: formats.read(files["mtok"]), rounds=3)
    oracle: List[List[Any]] = []
    ours: Dict[str, List[List[Any]]] = {kind: [] for kind in files}
    for _ in range(PROCESSES):
        oracle.append(measured("hf", original, text))
        for kind, path in files.items():
            ours[kind].append(measured("ours", path, text))
    assert ours["mtok"][0][4] == oracle[0][4]
    for kind, figures in ours.items():
        row(f"{name:10} {kind:14} " + "  ".join(ratios(oracle, figures)))


@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "llama2", "gemma3"])
def test_first_long_text_of_a_mtok(
    benchmark: Any, row: Callable[[str], None], file_of: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    """From the file to the ids of 100 KB: our time from tokenizer.json over our time from .mtok."""
    original, text = file_of(name), corpora.code()[:100_000]
    (path,) = written(original, tmp_path, "mtok")
    pairs = [(measured("ours", original, text), measured("ours", path, text)) for _ in range(PROCESSES)]
    whole = median(json_[1] / mtok[1] for json_, mtok in pairs)
    row(f"{name:10} {'100 KB, json over mtok':24} {whole:6.2f}")
    benchmark.pedantic(lambda: formats.read(path), rounds=3)


def written(original: Path, folder: Path, kind: str) -> Iterator[Path]:
    """The same tokenizer as a device file; none where the format holds nothing near it."""
    path = folder / f"x.{kind}"
    with contextlib.suppress(FormatError):
        formats.write(formats.project(formats.read(original), kind), path, kind)
        yield path


def ratios(oracle: List[List[Any]], ours: List[List[Any]]) -> List[str]:
    """The oracle's figure over ours, per column."""
    found = []
    for at, name in enumerate(NAMES):
        theirs, own = (median(one[at] for one in runs) for runs in (oracle, ours))
        found.append(f"{name} {theirs / own:6.2f}")
    return found
