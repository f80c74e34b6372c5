"""Which stage differs first between two engines' accounts of one text."""

from __future__ import annotations

from typing import List

from tokassay.checks.engine import STAGE_NAMES, Stages
from tokassay.checks.verdict import Difference

from .showing import aligned


def first_difference(expected: Stages, got: Stages) -> str:
    """The first stage at which the two part, with both sides shown; "" when nothing both tell differs."""
    for name, title in STAGE_NAMES.items():
        a, b = getattr(expected, name), getattr(got, name)
        if a is not None and b is not None and list(a) != list(b):
            lines = aligned(Difference(name, list(a), list(b)))
            return "\n".join([title, *("           " + line for line in lines)])
    return ""


def stage_name(account: str) -> str:
    """The bare name of the stage of a `first_difference`."""
    return account.split("\n", 1)[0]


def names() -> List[str]:
    """Every stage name, in pipeline order."""
    return list(STAGE_NAMES.values())
