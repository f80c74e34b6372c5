"""The pre-tokenizer, or one step of it, is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from tokassay.core.description import Description

from . import Altered
from ._parts import splitters, with_splitters

STAGE = "pre-tokenizer"


def alter(description: Description) -> Iterator[Altered]:
    steps = splitters(description)
    if not steps:
        return
    names = ", ".join(step.TYPE for step in steps)
    yield Altered(f"the pre-tokenizer is not applied ({names})", replace(description, pre_tokenizer=None))
    if len(steps) > 1:
        for place, step in enumerate(steps):
            left = with_splitters(description, steps[:place] + steps[place + 1 :])
            yield Altered(f"the pre-tokenizer's step {place + 1} ({step.TYPE}) is not applied", left)
