"""Keys that occur more than once, where the oracle silently keeps the last one (``json.duplicate-keys``)."""

from __future__ import annotations

import heapq
from typing import Iterator

from ...core.description import Warning as Oddity
from .text import Repeated

_BULK = ("vocab", "merges")  # flat and long: looked at, not into

MOST_REPEATS = 1000
"""Keys of one object that are named each."""


def repeated(field: str) -> Oddity:
    return Oddity(field, "occurs more than once; the last one counts")


def several_more(path: str, count: int) -> Iterator[Oddity]:
    """A warning for all that are not named."""
    if count > 0:
        yield Oddity(path, f"{count} more keys occur more than once; the last one counts")


def repeats(value: object, path: str = "") -> Iterator[Oddity]:
    """A warning for every repeated key in a document."""
    if isinstance(value, Repeated):
        for key in heapq.nsmallest(MOST_REPEATS, value.repeated):
            yield repeated(f"{path}.{key}" if path else key)
        yield from several_more(path, len(value.repeated) - MOST_REPEATS)
    if isinstance(value, dict) and not path.endswith(_BULK):
        for key, item in value.items():
            yield from repeats(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and not path.endswith(_BULK):
        for index, item in enumerate(value):
            yield from repeats(item, f"{path}[{index}]")
