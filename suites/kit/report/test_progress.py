"""The line that says where a run is."""

from __future__ import annotations

import io
import itertools

import pytest

from tokassay.checks.verdict import Verdict
from tokassay.report.progress import Progress
from tokassay.verdicts.events import EngineDown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(*events: object, out: io.StringIO, step: float = 0.0) -> list[str]:
    ticks = itertools.count(10.0, step) if step else itertools.repeat(10.0)
    progress = Progress(out, lambda: next(ticks))
    for event in events:
        progress.add(event)  # type: ignore[arg-type]
    progress.end()
    return out.getvalue().split("\r\x1b[K")[1:]


def verdict(kind: str = "pass", engine: str = "own") -> Verdict:
    return Verdict(kind, "encode", engine, "gpt2", "v/1")


def test_nothing_is_said_where_nobody_watches():
    assert shown(verdict(), out=io.StringIO()) == []


def test_a_line_for_each_cell_and_none_at_the_end():
    lines = shown(verdict(), verdict("crash"), verdict(engine="hf"), EngineDown("x", "gone"), out=Terminal())
    assert lines == [
        "1 verdicts in 0 s; own / gpt2 / encode",
        "3 verdicts, 1 failed in 0 s; hf / gpt2 / encode",
        "",
    ]


def test_within_a_slow_cell_the_line_goes_on():
    lines = shown(verdict(), verdict(), verdict(), out=Terminal(), step=0.6)
    assert lines[:3] == [f"{n} verdicts in {s} s; own / gpt2 / encode" for n, s in ((1, 0), (2, 1), (3, 1))]


def test_the_line_neither_wraps_nor_commands_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "40")
    line = shown(verdict(engine="\x1b[2J" + "long" * 20), out=Terminal())[0]
    assert len(line) == 39
    assert "\x1b" not in line
