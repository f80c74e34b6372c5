"""Byte lengths of consecutive tokens → character ranges of the piece. Clause ``model.offsets``."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import Iterable, Iterator, Tuple


def character_ranges(piece: str, lengths: Iterable[int]) -> Iterator[Tuple[int, int]]:
    """The characters that each token's bytes touch: a token with part of a character covers all of it.

    `lengths` are UTF-8 bytes, laid end to end from the start of the piece. A model may count more
    bytes than the piece has: such a range stays in bytes, and ends behind the last character
    (``encoding.offsets.beyond``).
    """
    ends = list(accumulate(lengths))
    if piece.isascii():
        return zip([0, *ends], ends)
    owner = array("I")  # a piece may be a whole text: four bytes for a number instead of forty
    for index, character in enumerate(piece):
        for _ in character.encode():
            owner.append(index)
    size = len(owner)
    return (
        (start, end) if end > size else (owner[start], owner[end - 1] + 1)
        for start, end in zip([0, *ends], ends)
    )
