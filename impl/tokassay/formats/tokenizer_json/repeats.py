"""Keys that occur more than once, where the oracle silently keeps the last one (``json.duplicate-keys``)."""

from __future__ import annotations

from typing import Iterator

from ...core.description import Warning as Oddity
from .text import Repeated

_BULK = ("vocab", "merges")  # flat and long: looked at, not into


def repeats(value: object, path: str = "") -> Iterator[Oddity]:
    """A warning for every repeated key in a document."""
    if isinstance(value, Repeated):
        for key in sorted(value.repeated):
            yield Oddity(f"{path}.{key}" if path else key, "occurs more than once; the last one counts")
    if isinstance(value, dict) and not path.endswith(_BULK):
        for key, item in value.items():
            yield from repeats(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and not path.endswith(_BULK):
        for index, item in enumerate(value):
            yield from repeats(item, f"{path}[{index}]")
