"""Ids one by one to text (tokassay.checks.stream)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "stream"


def test_stream_is_complete_and_never_late(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
