"""Rank merging: bytes join, the joint string with the lowest id first (``tokenizer-txt.tiktoken.encode``).

Joined as in `scored_bpe`; other than there strings are bytes, any may be missing, and a text is one piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, List, Tuple

from ..errors import EncodeError
from ..token import Token
from .byte_strings import ByteStrings, tokens_of
from .scored_bpe import join_queue
from .tabled import Tabled


@dataclass(frozen=True)
class RankMerge(Tabled):
    """tiktoken's rule on one piece: no list of merges, the id of a string is its rank."""

    TYPE: ClassVar[str] = "rank merging"
    CLAUSE: ClassVar[str] = "tokenizer-txt.tiktoken.encode"
    table: ByteStrings

    def build(self) -> RankSegmenter:
        return RankSegmenter(self.table)


@dataclass(frozen=True)
class RankSegmenter:
    """The leftmost pair with the lowest rank joins until there is none."""

    table: ByteStrings

    def ids(self, piece: str) -> List[int]:
        return [index for index, _, _ in self._spans(piece.encode("utf-8"))]

    def tokenize(self, piece: str) -> List[Token]:
        """Raises EncodeError for a byte without a string."""
        return tokens_of(self.table, piece, self._spans(piece.encode("utf-8")))

    def _spans(self, data: bytes) -> Tuple[Tuple[int, int, int], ...]:
        # A character for a byte, so that the joining of other scored tokens takes it.
        text, ids = data.decode("latin-1"), self.table.ids
        joined = join_queue(
            text, [(at, at + 1) for at in range(len(data))], lambda part: ids.get(part.encode("latin-1"))
        )
        return tuple((self._id(data[start:end]), start, end) for start, end in joined)

    def _id(self, string: bytes) -> int:
        index = self.table.ids.get(string)
        if index is None:
            raise EncodeError(f"byte {string.hex()} has no entry")
        return index
