"""Rank merging: bytes join, the joint string with the lowest id first (``tokenizer-txt.tiktoken.encode``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, List, Mapping, NoReturn, Optional, Tuple

from ..device_only import refuse
from ..errors import EncodeError
from ..fields import Fields
from ..token import Token
from .byte_strings import ByteStrings, tokens_of

NO_RANK = 1 << 33


@dataclass(frozen=True)
class RankMerge:
    """tiktoken's rule on one piece: no list of merges, the id of a string is its rank."""

    TYPE: ClassVar[str] = "rank merging"
    CLAUSE: ClassVar[str] = "tokenizer-txt.tiktoken.encode"
    table: ByteStrings

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        refuse(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        refuse(self.TYPE, "model.type")

    @property
    def vocab(self) -> Mapping[str, int]:
        return self.table.vocab

    @property
    def vocab_size(self) -> int:
        return len(self.table.strings)

    def token_to_id(self, token: str) -> Optional[int]:
        return self.table.find(token)

    def id_to_token(self, index: int) -> Optional[str]:
        return self.table.text_of(index)

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
        edges = list(range(len(data) + 1))
        ranks = [self._rank(data, edges, at) for at in range(len(edges) - 2)]
        while ranks and min(ranks) < NO_RANK:
            at = ranks.index(min(ranks))
            del edges[at + 1], ranks[at]
            for near in (at - 1, at):
                if 0 <= near < len(ranks):
                    ranks[near] = self._rank(data, edges, near)
        return tuple((self._id(data[a:b]), a, b) for a, b in zip(edges, edges[1:]))

    def _rank(self, data: bytes, edges: List[int], at: int) -> int:
        return self.table.ids.get(data[edges[at] : edges[at + 2]], NO_RANK)

    def _id(self, string: bytes) -> int:
        index = self.table.ids.get(string)
        if index is None:
            raise EncodeError(f"byte {string.hex()} has no entry")
        return index
