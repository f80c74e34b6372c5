"""One token as a model produces it."""

from __future__ import annotations

from typing import NamedTuple


class Token(NamedTuple):
    """A token of one piece: `start` and `end` are characters of the *piece* (not of the original).

    A token that covers only some bytes of a character covers that character. An `end` behind the piece
    marks a token of bytes that the piece has not got: then both count bytes (``encoding.offsets.beyond``).
    """

    id: int
    value: str
    start: int
    end: int
