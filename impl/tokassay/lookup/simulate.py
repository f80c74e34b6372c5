"""Acceptance on a text that is already known: the continuation plays the model."""

from __future__ import annotations

from typing import Sequence

from .generate import Generated, generate
from .index import NgramIndex


def simulate(prompt_ids: Sequence[int], continuation: Sequence[int], index: NgramIndex) -> Generated:
    """What `generate` would have cost had the model written exactly `continuation` (teacher forcing).

    Reference texts of `index` are used, its history is not.
    """
    first = len(prompt_ids)

    def teacher(ids: Sequence[int], start: int) -> Sequence[int]:
        places = range(start + 1 - first, len(ids) + 1 - first)
        return [continuation[place] for place in places]

    return generate(teacher, prompt_ids, len(continuation), index)
