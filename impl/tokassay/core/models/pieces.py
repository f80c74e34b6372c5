"""Pieces with a score and a kind, as SentencePiece numbers them (``tokenizer-txt.sentencepiece.kinds``).

Other than in `scored_tokens` the last of equal pieces counts, and bytes have two names.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from ..packed import MANY, Column, Strings, Texts, places, tokens

_BYTE = re.compile(r"<(?:byte_)?0x([0-9A-Fa-f]{2})>")


class Kind(IntEnum):
    """What a piece is."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


class Piece(NamedTuple):
    """One line of the table; its id is its place."""

    text: str
    score: float
    kind: Kind


class PieceColumns(Column[Piece]):
    """Many pieces: a column for each of their parts."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self.texts, self.scores, self.kinds = Texts(Strings()), array("d"), bytearray()
        for piece in pieces:
            self.append(piece)

    def append(self, piece: Piece) -> None:
        self.texts.strings.append(piece.text.encode("utf-8"))
        self.scores.append(piece.score)
        self.kinds.append(piece.kind)

    def __len__(self) -> int:
        return len(self.kinds)

    def _at(self, place: int) -> Piece:
        return Piece(self.texts[place], self.scores[place], Kind(self.kinds[place]))

    def __iter__(self) -> Iterator[Piece]:
        return map(Piece, self.texts, self.scores, map(Kind, self.kinds))


def pieces_of(columns: PieceColumns) -> Sequence[Piece]:
    """Objects where there is room for them."""
    return columns if len(columns) > MANY - MANY // 10 else tuple(columns)  # larger than a string each


@dataclass(frozen=True)
class PieceTable:
    """All pieces in the order of their ids."""

    pieces: Sequence[Piece]

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """Text → id; of equal texts the last one."""
        return places(tokens(Strings(map(str.encode, map(text_of, self.pieces)))), last=True)

    @property
    def size(self) -> int:
        return len(self.pieces)

    def find(self, token: str) -> Optional[int]:
        return self.vocab.get(token)

    def token_at(self, index: int) -> Optional[str]:
        return self.text_of(index) if 0 <= index < self.size else None

    def text_of(self, index: int) -> str:
        """The token string: byte pieces are spelled ``<0xHH>``, however the file spells them."""
        return text_of(self.pieces[index])

    def matched(self, *kinds: Kind) -> Mapping[str, int]:
        """Text → id of the pieces of some kinds; of equal texts the last one, empty ones left out."""
        if isinstance(self.pieces, PieceColumns):
            chosen = (i for i, piece in enumerate(self.pieces) if piece.kind in kinds and piece.text)
            return places(self.pieces.texts, array("I", chosen), last=True)
        return {piece.text: i for i, piece in enumerate(self.pieces) if piece.kind in kinds and piece.text}

    @cached_property
    def bytes(self) -> Mapping[int, int]:
        """Byte → id."""
        values = ((byte_of(piece), index) for index, piece in enumerate(self.pieces))
        return {value: index for value, index in values if value is not None}

    @cached_property
    def unknown(self) -> Optional[int]:
        """The id of the first piece of that kind."""
        return next((i for i, piece in enumerate(self.pieces) if piece.kind == Kind.UNKNOWN), None)

    def spelled(self, character: str) -> Optional[List[int]]:
        """The byte pieces of a character, None where one of them is missing."""
        ids = [self.bytes.get(byte) for byte in character.encode("utf-8")]
        return None if None in ids else ids  # type: ignore[return-value]


def text_of(piece: Piece) -> str:
    """See `PieceTable.text_of`."""
    value = byte_of(piece)
    return piece.text if value is None else f"<0x{value:02X}>"


def byte_of(piece: Piece) -> Optional[int]:
    """The byte that a byte piece stands for; None for any other piece."""
    found = _BYTE.fullmatch(piece.text) if piece.kind == Kind.BYTE else None
    return None if found is None else int(found.group(1), 16)
