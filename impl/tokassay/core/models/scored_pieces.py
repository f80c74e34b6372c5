"""Scored pieces: the path with the highest sum of scores (``tokenizer-txt.sentencepiece.encode``).

Other than in `scored_unigram` sums are of double precision, and user-defined pieces compete like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, List, Mapping, NamedTuple, Optional, Tuple

from ..errors import EncodeError
from ..token import Token
from .pieces import Kind, PieceTable
from .tabled import Tabled

PENALTY = 10.0


@dataclass(frozen=True)
class ScoredPieces(Tabled):
    """Like HF's Unigram, but the kind of a piece says whether text can be it."""

    TYPE: ClassVar[str] = "scored pieces"
    CLAUSE: ClassVar[str] = "tokenizer-txt.sentencepiece.encode"
    table: PieceTable

    def build(self) -> ScoredSegmenter:
        return self._segmenter

    @cached_property
    def _segmenter(self) -> ScoredSegmenter:
        return ScoredSegmenter(self.table)


class Arc(NamedTuple):
    """The best way to a place: its sum, where its last piece starts, and that piece; None is unknown."""

    total: float
    start: int
    id: Optional[int]


@dataclass(frozen=True)
class ScoredSegmenter:
    """Best path by dynamic programming over the characters."""

    table: PieceTable

    @cached_property
    def matched(self) -> Mapping[str, int]:
        return self.table.matched(Kind.NORMAL, Kind.USER_DEFINED)

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.matched), default=0)

    @cached_property
    def unknown_score(self) -> float:
        """What an unknown character costs: ten below the worst piece that text can be."""
        return min((self.table.pieces[index].score for index in self.matched.values()), default=0.0) - PENALTY

    def ids(self, piece: str) -> List[int]:
        return [token.id for token in self.tokenize(piece)]

    def tokenize(self, piece: str) -> List[Token]:
        """Raises EncodeError for an unknown character where the table has no unknown piece."""
        tokens: List[Token] = []
        for start, end, index in self._runs(piece):
            if index is None:
                tokens += self._unknown(piece, start, end)
            else:
                tokens.append(Token(index, self.table.text_of(index), start, end))
        return tokens

    def _runs(self, piece: str) -> List[Tuple[int, int, Optional[int]]]:
        """The path, unknown characters side by side joined."""
        best, at = self._best(piece), len(piece)
        runs: List[Tuple[int, int, Optional[int]]] = []
        while at:
            arc = best[at]
            if arc.id is None and runs and runs[-1][2] is None:
                runs[-1] = (arc.start, runs[-1][1], None)
            else:
                runs.append((arc.start, at, arc.id))
            at = arc.start
        return runs[::-1]

    def _best(self, piece: str) -> List[Arc]:
        """Of equal sums the one whose last piece starts first stays."""
        best: List[Optional[Arc]] = [Arc(0.0, 0, None)] + [None] * len(piece)
        for start in range(len(piece)):
            before = best[start]
            assert before is not None  # for the type checker: an unknown character always leads on
            for end in range(start + 1, min(len(piece), start + self.longest) + 1):
                index = self.matched.get(piece[start:end])
                if index is not None:
                    total = before.total + self.table.pieces[index].score
                    _relax(best, end, Arc(total, start, index))
            if piece[start] not in self.matched:
                _relax(best, start + 1, Arc(before.total + self.unknown_score, start, None))
        return best  # type: ignore[return-value]

    def _unknown(self, piece: str, start: int, end: int) -> List[Token]:
        """Byte pieces where all of them are there, else one unknown piece."""
        spelled = [(at, self.table.spelled(piece[at])) for at in range(start, end)]
        if all(ids is not None for _, ids in spelled):
            return [Token(i, self.table.text_of(i), at, at + 1) for at, ids in spelled for i in ids or ()]
        if self.table.unknown is None:
            raise EncodeError(f"{piece[start:end]!r} is unknown and no piece is of that kind")
        return [Token(self.table.unknown, self.table.text_of(self.table.unknown), start, end)]


def _relax(best: List[Optional[Arc]], end: int, arc: Arc) -> None:
    known = best[end]
    if known is None or arc.total > known.total:
        best[end] = arc
