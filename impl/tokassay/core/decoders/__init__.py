"""One file per decoder; see `tokassay.core.registry` for how they are found.

A decoder says what it makes of a finished list of tokens (`decode_chain`, the definition), and how
it does the same piece by piece: `stream` while tokens come one by one, `flow` once an earlier
decoder has made one growing token of them.
"""

from __future__ import annotations

from ..registry import read_component


def read(value: object, where: str) -> object:
    """Build the component described by a JSON object (FormatError on an unknown type)."""
    return read_component(__name__, value, where)
