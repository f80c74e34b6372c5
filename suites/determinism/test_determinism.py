"""The same answer every time (tokassay.checks.determinism)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "determinism"


def test_answers_do_not_change(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
