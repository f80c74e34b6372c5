"""Where each token comes from (tokassay.checks.offsets)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "offsets"


def test_offsets_are_the_oracles(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
