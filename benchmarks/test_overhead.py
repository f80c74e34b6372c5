"""What a run costs beside its engines: 50,000 short texts on qwen3, the reference and hf.

Own times are those of programs that load and encode and do nothing else: the reference in its process, hf
behind the wire protocol (and in process for ``--in-process``). The ratios mean something on two idle cores
only: the engines of a run work side by side.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Callable

import corpora
import pytest
from measure import oracle_of

from tokassay.checks.vector import DIGITS, row_hash

ENGINES = ("reference", "hf")
FEW, MANY = 5_000, 50_000
OWN = """
import json, sys
from tokassay import engines
session = engines.open(sys.argv[1]).load(sys.argv[2])
texts = (json.loads(line)["text"] for line in open(sys.argv[3]))
if sys.argv[1].startswith("child:"):
    print(sum(len(one.ids) for one in session.encode_many(texts, add_special_tokens=False)))
else:
    print(sum(len(session.encode(text, add_special_tokens=False).ids) for text in texts))
"""


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, and the peak of memory in MiB."""

    wall: float
    memory: float


def spent(*words: str) -> Spent:
    """What a program spends."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return Spent(time.perf_counter() - started, usage.ru_maxrss / 1024)


def rows(path: Path, count: int):
    """Vectors with texts of three to twelve words and the oracle's ids."""
    oracle, chance, words = oracle_of(path), random.Random(7), corpora.prose(200_000).split()
    about = sha256(path.read_bytes()).hexdigest()[:DIGITS]
    for number in range(count):
        text = f"{' '.join(chance.choices(words, k=chance.randint(3, 12)))} {number}"
        answer = {"sha256": about, "ids": oracle.encode(text, add_special_tokens=False).ids}
        row = {
            "id": f"generated/{number}",
            "op": "encode",
            "kind": "generated",
            "level": "must",
            "clauses": ["model.bpe.merge-order"],
            "source": {"kind": "generated", "ref": ""},
            "oracle": {"name": "tokenizers", "version": "0.23.3"},
            "text": text,
            "expect": {"qwen3": answer},
        }
        yield json.dumps({**row, "hash": row_hash(row)})


@pytest.fixture(scope="module")
def file_with(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, int], str]:
    folder = tmp_path_factory.mktemp("overhead")

    @cache
    def made(path: Path, count: int) -> str:
        file = folder / f"{count}.jsonl"
        file.write_text("\n".join(rows(path, count)) + "\n", "ascii")
        return str(file)

    return made


def run(vectors: str, *options: str) -> Spent:
    chosen = [word for engine in ENGINES for word in ("--engine", engine)]
    what = ["--tokenizer", "qwen3", "--suite", "encode", "--vectors", vectors]
    return spent("-m", "tokassay", "run", *chosen, *what, *options)


@pytest.mark.parametrize("options", [(), ("--in-process",)], ids=["hf in a child", "in process"])
def test_wall_time_of_a_run_beside_its_engines(
    benchmark: Any,
    row: Callable[[str], None],
    file_of: Callable[[str], Path],
    file_with: Callable[[Path, int], str],
    options: tuple[str, ...],
) -> None:
    path = file_of("qwen3")
    vectors = file_with(path, MANY)
    second = "hf" if options else "child:hf"
    found: list[tuple[Spent, Spent, Spent]] = []

    def measure() -> None:
        own = [spent("-c", OWN, address, str(path), vectors) for address in ("reference", second)]
        found.append((own[0], own[1], run(vectors, *options)))

    benchmark.pedantic(measure, rounds=3)
    wall = min(whole.wall / (a.wall + b.wall) for a, b, whole in found)
    benchmark.extra_info["wall"] = wall
    row(f"run {' '.join(options):12} {wall:.2f} x the engines' own times")


def test_memory_does_not_grow_with_the_number_of_texts(
    benchmark: Any,
    row: Callable[[str], None],
    file_of: Callable[[str], Path],
    file_with: Callable[[Path, int], str],
) -> None:
    few, many = (run(file_with(file_of("qwen3"), count)).memory for count in (FEW, MANY))
    benchmark.pedantic(lambda: None, rounds=1)
    benchmark.extra_info["grown_mib"] = many - few
    row(f"memory of a run: {few:.0f} MiB with {FEW} texts, {many:.0f} MiB with {MANY}")
