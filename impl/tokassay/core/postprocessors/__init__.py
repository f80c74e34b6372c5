"""One file per post-processor; see `tokassay.core.registry` for how they are found."""

from __future__ import annotations

from ..registry import read_component


def read(value: object, where: str) -> object:
    """Build the component described by a JSON object (FormatError on an unknown type)."""
    return read_component(__name__, value, where)
