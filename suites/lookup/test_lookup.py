"""Drafts by prompt lookup (tokassay.checks.lookup)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "lookup"


def test_drafts_are_those_of_the_rule(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
