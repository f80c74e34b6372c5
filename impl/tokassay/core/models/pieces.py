"""Pieces with a score and a kind, as SentencePiece numbers them (``tokenizer-txt.sentencepiece.kinds``).

Other than in `scored_tokens` the last of equal pieces counts, and bytes have two names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Dict, List, Mapping, NamedTuple, Optional, Tuple

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


@dataclass(frozen=True)
class PieceTable:
    """All pieces in the order of their ids."""

    pieces: Tuple[Piece, ...]

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """Text → id; of equal texts the last one."""
        return {self.text_of(index): index for index in range(len(self.pieces))}

    @property
    def size(self) -> int:
        return len(self.pieces)

    def find(self, token: str) -> Optional[int]:
        return self.vocab.get(token)

    def token_at(self, index: int) -> Optional[str]:
        return self.text_of(index) if 0 <= index < self.size else None

    def text_of(self, index: int) -> str:
        """The token string: byte pieces are spelled ``<0xHH>``, however the file spells them."""
        piece = self.pieces[index]
        value = byte_of(piece)
        return piece.text if value is None else f"<0x{value:02X}>"

    def matched(self, *kinds: Kind) -> Dict[str, int]:
        """Text → id of the pieces of some kinds; of equal texts the last one, empty ones left out."""
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


def byte_of(piece: Piece) -> Optional[int]:
    """The byte that a byte piece stands for; None for any other piece."""
    found = _BYTE.fullmatch(piece.text) if piece.kind == Kind.BYTE else None
    return None if found is None else int(found.group(1), 16)
