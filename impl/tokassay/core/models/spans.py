"""Byte lengths of consecutive tokens → character ranges of the piece. Clause ``model.offsets``."""

from __future__ import annotations

from itertools import accumulate, repeat
from typing import Iterable, List, Tuple


def character_ranges(piece: str, lengths: Iterable[int]) -> List[Tuple[int, int]]:
    """The characters that each token's bytes touch: a token with part of a character covers all of it.

    `lengths` are UTF-8 bytes, laid end to end from the start of the piece. Bytes past its end
    (a model may count more bytes than the piece has) belong to an empty range at the end.
    """
    ends = list(accumulate(lengths))
    if piece.isascii():
        return list(zip(map(min, [0, *ends], repeat(len(piece))), map(min, ends, repeat(len(piece)))))
    owner: List[int] = []
    for index, character in enumerate(piece):
        owner += [index] * len(character.encode())
    owner += [len(piece)]
    last = len(owner) - 1
    return [
        (owner[min(start, last)], min(owner[min(end, last + 1) - 1] + 1, len(piece)))
        for start, end in zip([0, *ends], ends)
    ]
