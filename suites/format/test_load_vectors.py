"""Odd and refused tokenizer files (tokassay.checks.format)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "format"


def test_files_load_as_with_the_oracle(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
