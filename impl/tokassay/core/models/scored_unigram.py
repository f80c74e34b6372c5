"""Unigram as SentencePiece does it: single precision, and kinds of tokens (clauses ``scored.unigram.*``)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..description import Warning as Oddity
from ..token import Token
from .scored_tokens import NORMAL, UNUSED, USER_DEFINED, ScoredTokens, Span
from .tabled import Tabled

UNKNOWN_PENALTY = 10.0
BONUS = 0.1  # of a user-defined token, for each byte behind the first
_SINGLE = struct.Struct("<f")
_LARGEST = 3.4028234663852886e38


def single(number: float) -> float:
    """Rounded to single precision."""
    if -_LARGEST <= number <= _LARGEST:
        return float(_SINGLE.unpack(_SINGLE.pack(number))[0])
    return number * float("inf")


@dataclass(frozen=True)
class ScoredUnigram(Tabled):
    """The segmentation with the highest sum, every sum rounded to single precision."""

    TYPE: ClassVar[str] = "scored Unigram"
    CLAUSE: ClassVar[str] = "scored.unigram.best"
    table: ScoredTokens
    byte_fallback: bool = False

    def prove(self) -> Sequence[Oddity]:
        """What loading did not look for (`Unread`)."""
        return self.table.prove()

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Token → score; a user-defined one has its length for a score (``scored.unigram.user-defined``)."""
        pieces, found = self.table, {}
        for token, index in pieces.found.items():
            if pieces.kinds[index] == USER_DEFINED:
                found[token] = single(BONUS * (len(token.encode()) - 1))
            elif pieces.kinds[index] != UNUSED:
                found[token] = single(pieces.scores[index])
        return found

    @cached_property
    def _normal(self) -> List[float]:
        return [single(score) for score, kind in zip(self.table.scores, self.table.kinds) if kind == NORMAL]

    @cached_property
    def unknown_score(self) -> float:
        """Ten below the worst normal token."""
        return single(min(self._normal, default=0.0) - UNKNOWN_PENALTY)

    @cached_property
    def prefixes(self) -> Mapping[str, int]:
        """First character → the longest token that begins with it."""
        longest: Dict[str, int] = {}
        for token in self.scores:
            longest[token[0]] = max(longest.get(token[0], 0), len(token))
        return longest

    def build(self) -> UnigramSegmenter:
        return UnigramSegmenter(self)


@dataclass(frozen=True)
class UnigramSegmenter:
    """The best path, then ids."""

    model: ScoredUnigram

    def ids(self, piece: str) -> List[int]:
        """Raises EncodeError for a character without a token, where there is no unknown token either."""
        return [token.id for token in self.tokenize(piece)]

    def tokenize(self, piece: str) -> List[Token]:
        pieces = self.model.table
        return list(pieces.named(piece, self._path(piece), byte_fallback=self.model.byte_fallback))

    def _path(self, piece: str) -> List[Span]:
        """Left to right; of equal sums the earliest start stays (``scored.unigram.best``)."""
        best: List[Optional[Tuple[float, int]]] = [(0.0, 0)] + [None] * len(piece)
        for start in range(len(piece)):
            so_far = best[start]
            assert so_far is not None  # every character is a token or unknown, so every place is reached
            for end, score in self._steps(piece, start):
                total, old = single(score + so_far[0]), best[end]
                if old is None or total > old[0]:
                    best[end] = (total, start)
        path, end = [], len(piece)
        while end > 0:
            start = best[end][1]  # type: ignore[index]
            path.append((start, end))
            end = start
        return path[::-1]

    def _steps(self, piece: str, start: int) -> Iterator[Tuple[int, float]]:
        scores, is_single = self.model.scores, False
        for end in range(start + 1, min(len(piece), start + self.model.prefixes.get(piece[start], 0)) + 1):
            score = scores.get(piece[start:end])
            if score is not None:
                is_single = is_single or end == start + 1
                yield end, score
        if not is_single:
            yield start + 1, self.model.unknown_score
