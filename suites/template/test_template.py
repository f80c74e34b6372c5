"""Prompts of chat templates (tokassay.checks.template)."""

from __future__ import annotations

from tokassay.pytest_plugin import Cell

SUITE = "template"


def test_prompts_are_those_of_the_template(cell: Cell) -> None:
    failures = cell.failures()
    assert not failures, "\n".join(["", *failures])
