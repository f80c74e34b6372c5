"""The normalizer, or one step of it, is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from tokassay.core.description import Description

from . import Altered
from ._parts import normalizers, with_normalizers

STAGE = "normalizer"


def alter(description: Description) -> Iterator[Altered]:
    steps = normalizers(description)
    if not steps:
        return
    names = ", ".join(step.TYPE for step in steps)
    yield Altered(f"the normalizer is not applied ({names})", replace(description, normalizer=None))
    if len(steps) > 1:
        for place, step in enumerate(steps):
            left = with_normalizers(description, steps[:place] + steps[place + 1 :])
            yield Altered(f"the normalizer's step {place + 1} ({step.TYPE}) is not applied", left)
