"""Ids to text, on every engine, tokenizer and vector (tokassay.checks.decode)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "decode"


def test_text_is_the_oracles(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
