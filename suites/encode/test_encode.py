"""Text to ids, on every engine, tokenizer and vector (tokassay.checks.encode)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "encode"


def test_ids_are_the_oracles(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
