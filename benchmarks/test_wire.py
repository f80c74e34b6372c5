"""Engines in a child: cases a second, and what the pipe costs beside the engine's own work.

``echo`` is the C header around an idle engine (suites/kit/wire/echo.c): its figure is the cost of
protocol and driver alone. The aim is 20,000 cases a second with a window of 256, verdict and report line
included.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

from tokassay import engines
from tokassay.checks import suites
from tokassay.checks.calls import Call, announce
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import parse_row
from tokassay.engines.wire import Limits
from tokassay.verdicts.events import to_json

ROOT = Path(__file__).parents[1]
CASES = 20_000


def vectors():
    """Short texts, each with the bytes as its ids."""
    frame = {
        "op": "encode",
        "kind": "echo",
        "level": "must",
        "clauses": [],
        "source": {"kind": "generated", "ref": ""},
        "oracle": {"name": "tokenizers", "version": "0.23.3"},
        "hash": "0",
    }
    for number in range(CASES):
        text = f"a short text, number {number}"
        answer = {"sha256": "0", "ids": list(text.encode())}
        row = {**frame, "id": f"echo/{number}", "text": text, "expect": {"echo": answer}}
        yield narrowed(parse_row(row, "row"), "echo")


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory):
    program = tmp_path_factory.mktemp("echo") / "echo"
    source = ROOT / "suites" / "kit" / "wire" / "echo.c"
    command = [
        "cc",
        "-std=c99",
        "-O2",
        "-I",
        str(ROOT / "docs" / "protocol"),
        "-o",
        str(program),
        str(source),
    ]
    subprocess.run(command, check=True)
    return f"exec:{program}"


def rate(benchmark: Any, work: Callable[[], int], cases: int) -> None:
    assert benchmark.pedantic(work, rounds=3, iterations=1) == cases
    if benchmark.stats is not None:
        benchmark.extra_info["cases_per_second"] = round(cases / benchmark.stats.stats.min)


@pytest.mark.parametrize("window", [1, 16, 256])
def test_encode_through_the_pipe(benchmark: Any, echo: str, window: int):
    session = engines.open(echo, Limits(window=window)).load("t.json")
    texts = [f"a short text, number {number}" for number in range(CASES // 4)]
    rate(benchmark, lambda: sum(1 for _ in session.encode_many(texts)), len(texts))


def test_cases_with_verdict_and_report_line(benchmark: Any, echo: str, tmp_path: Path):
    session, check, given = engines.open(echo).load("t.json"), suites()["encode"].check, list(vectors())

    def work() -> int:
        announce(session, (Call("encode", vector.text) for vector in given))
        with (tmp_path / "report.jsonl").open("w") as report:
            report.writelines(to_json(check(session, vector)) + "\n" for vector in given)
        return (tmp_path / "report.jsonl").read_text().count('"pass"')

    rate(benchmark, work, CASES)


@pytest.mark.parametrize("address", ["reference", "child:reference"])
def test_the_reference_beside_itself_in_a_child(benchmark: Any, address: str):
    session: Any = engines.open(address).load(str(ROOT / "golden" / "tokenizers" / "gpt2" / "tokenizer.json"))
    texts = [json.dumps({"line": number, "word": "tokenizer"}) for number in range(5000)]

    def work() -> int:
        announce(session, (Call("encode", text) for text in texts))
        return sum(1 for text in texts if session.encode(text).ids)

    rate(benchmark, work, len(texts))
