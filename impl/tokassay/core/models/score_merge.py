"""Score merging: neighbours join, the best scored piece first (``tokenizer-txt.loader.score-merging``).

Other than in `scored_bpe` only normal and unused pieces are joined to, and bytes are spelled one by one.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Dict, List, Mapping, Tuple

from ..errors import EncodeError
from ..token import Token
from .pieces import Kind, Piece, PieceTable, byte_of
from .scored_bpe import join_queue
from .tabled import Tabled


@dataclass(frozen=True)
class ScoreMerge(Tabled):
    """What the measured loader does with scored pieces, whatever model they were trained for."""

    TYPE: ClassVar[str] = "score merging"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.score-merging"
    table: PieceTable

    def build(self) -> MergingSegmenter:
        return self._segmenter

    @cached_property
    def _segmenter(self) -> MergingSegmenter:
        return MergingSegmenter(self.table)


NO_SCORE = -math.inf
Part = Tuple[int, int]
"""Start and end of a part of the text."""


@dataclass(frozen=True)
class MergingSegmenter:
    """Parts start as characters; the neighbours whose joint piece scores highest join first."""

    table: PieceTable

    @cached_property
    def targets(self) -> Dict[str, Tuple[float, int]]:
        """Text → score (as a 32-bit float) and id, of normal and unused pieces."""
        found = self.table.matched(Kind.NORMAL, Kind.UNUSED)
        return {text: (single(self.table.pieces[index].score), index) for text, index in found.items()}

    @cached_property
    def ranks(self) -> Dict[str, int]:
        """Text → how many scores are higher; nothing joins to the lowest of all numbers."""
        scores = sorted({score for score, _ in self.targets.values() if score > NO_SCORE}, reverse=True)
        order = {score: rank for rank, score in enumerate(scores)}
        return {text: order[score] for text, (score, _) in self.targets.items() if score > NO_SCORE}

    def ids(self, piece: str) -> List[int]:
        return [token.id for token in self.tokenize(piece)]

    def tokenize(self, piece: str) -> List[Token]:
        """Raises EncodeError for a character without piece or byte pieces, where no piece is unknown."""
        joined: Dict[str, int] = {}

        def note(start: int, middle: int, end: int) -> None:
            joined[piece[start:end]] = middle - start

        symbols = [(at, at + 1) for at in range(len(piece))]
        parts = join_queue(piece, symbols, self.ranks.get, note)
        return [token for part in parts for token in self._tokens(piece, part, joined)]

    def _tokens(self, piece: str, part: Part, joined: Mapping[str, int]) -> List[Token]:
        """One piece; an unused one falls apart again into what it was joined from."""
        start, end = part
        text = piece[start:end]
        target = self.targets.get(text)
        if target is None:
            return self._spelled(text, start, end)
        if self.table.pieces[target[1]].kind == Kind.UNUSED and text in joined:
            middle = start + joined[text]
            return self._tokens(piece, (start, middle), joined) + self._tokens(piece, (middle, end), joined)
        return [Token(target[1], self.table.text_of(target[1]), start, end)]

    @cached_property
    def bytes(self) -> Dict[int, int]:
        """Byte → id of the piece called ``<0xHH>``."""
        named = {byte_of(piece): index for index, piece in enumerate(self.table.pieces) if _is_plain(piece)}
        return {byte: index for byte, index in named.items() if byte is not None}

    def _spelled(self, text: str, start: int, end: int) -> List[Token]:
        """Byte by byte; a byte without a piece is unknown."""
        found = [self.bytes.get(byte, self.table.unknown) for byte in text.encode("utf-8")]
        if None in found:
            raise EncodeError(f"{text!r} has no piece and no byte pieces")
        return [Token(i, self.table.text_of(i), start, end) for i in found if i is not None]


def _is_plain(piece: Piece) -> bool:
    return piece.text.startswith("<0x")


def single(value: float) -> float:
    """The nearest 32-bit float."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])
