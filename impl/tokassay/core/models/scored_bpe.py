"""Score merging: BPE without a list of merges; any two neighbours that form a better token are joined.

What tiktoken does with ranks and SentencePiece with scores (clauses ``scored.bpe.*``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Callable, ClassVar, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..description import Warning as Oddity
from ..token import Token
from .scored_tokens import UNUSED, ScoredTokens, Span, kept_at
from .tabled import Tabled

Rank = Callable[[str], Optional[int]]
Join = Callable[[str, Sequence[Span], Rank], List[Span]]


@dataclass(frozen=True)
class ScoredBPE(Tabled):
    """Of all neighbours that form a token, those whose token has the highest score are joined first.

    `whole`: a piece that is a token is that token, whatever joining would give.
    """

    TYPE: ClassVar[str] = "scored BPE"
    CLAUSE: ClassVar[str] = "scored.bpe.order"
    table: ScoredTokens
    byte_fallback: bool = False
    whole: bool = False

    def prove(self) -> Sequence[Oddity]:
        """What loading did not look for (`Unread`)."""
        return self.table.prove()

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The tokens that a text can hold → rank; equal scores share one."""
        scores = self.table.scores
        order = {score: rank for rank, score in enumerate(sorted(set(scores), reverse=True))}
        return {token: order[scores[index]] for token, index in self.table.found.items()}

    def build(self) -> ScoredSegmenter:
        return ScoredSegmenter(self)


@dataclass(frozen=True)
class ScoredSegmenter:
    """Symbols, then `join_plain` (the definition) or `join_queue` (the same, faster), then ids."""

    model: ScoredBPE

    def ids(self, piece: str) -> List[int]:
        """Raises EncodeError for a character without a token, where there is no unknown token either."""
        return [token.id for token in self._tokens(piece, join_queue)]

    def tokenize(self, piece: str) -> List[Token]:
        return list(self._tokens(piece, join_plain if len(piece) <= 64 else join_queue))

    def _tokens(self, piece: str, join: Join) -> Iterator[Token]:
        pieces = self.model.table
        if self.model.whole and piece in pieces.found:
            return iter([Token(pieces.found[piece], piece, 0, len(piece))])
        parts = self._parts(piece, join)
        if UNUSED in pieces.kinds:
            parts = [half for start, end in parts for half in self._used(piece, start, end)]
        return pieces.named(piece, parts, byte_fallback=self.model.byte_fallback)

    def _parts(self, piece: str, join: Join) -> List[Span]:
        """The joined spans; what lies between user-defined tokens is joined by itself."""
        parts: List[Span] = []
        symbols: List[Span] = []
        for start, end, is_kept in _symbols(piece, self.model.table.kept):
            symbols.append((start, end))
            if is_kept:
                parts += [*join(piece, symbols[:-1], self.model.ranks.get), (start, end)]
                symbols = []
        return parts + join(piece, symbols, self.model.ranks.get)

    def _used(self, piece: str, start: int, end: int) -> List[Span]:
        """A span; an unused token falls back into what it was joined from (``scored.bpe.unused``)."""
        whole, pieces = piece[start:end], self.model.table
        index = pieces.found.get(whole)
        if index is None or pieces.kinds[index] != UNUSED or len(whole) == 1:
            return [(start, end)]

        def rank(text: str) -> Optional[int]:
            return None if text == whole else self.model.ranks.get(text)

        halves = join_queue(piece, [(place, place + 1) for place in range(start, end)], rank)
        return [used for half in halves for used in self._used(piece, *half)]


def _symbols(piece: str, kept: Mapping[str, Sequence[str]]) -> Iterator[Tuple[int, int, bool]]:
    """Characters, and the longest user-defined token where one begins."""
    place = 0
    while place < len(piece):
        token = kept_at(kept, piece, place)
        end = place + (1 if token is None else len(token))
        yield place, end, token is not None
        place = end


def join_plain(piece: str, symbols: Sequence[Span], rank: Rank) -> List[Span]:
    """As defined: join the neighbours that form the best token, the leftmost of equals, until none do."""
    parts = list(symbols)
    while True:
        ranked = [
            (rank(piece[start:end]), place)
            for place, ((start, _), (_, end)) in enumerate(zip(parts, parts[1:]))
        ]
        live = [(found, place) for found, place in ranked if found is not None]
        if not live:
            return parts
        place = min(live)[1]
        parts[place : place + 2] = [(parts[place][0], parts[place + 1][1])]


def join_queue(
    piece: str, symbols: Sequence[Span], rank: Rank, note: Optional[Callable[[int, int, int], None]] = None
) -> List[Span]:
    """The same with a queue of candidates; one whose neighbours have changed since is stale.

    `note` is told every joining: start, border, end.
    """
    starts = [start for start, _ in symbols]
    ends = [end for _, end in symbols]
    count = len(starts)
    after, before = list(range(1, count + 1)), list(range(-1, count - 1))

    def candidates(places: Sequence[int]) -> Iterator[Tuple[int, int, int]]:
        for left in places:
            if left >= 0 and after[left] < count:
                end = ends[after[left]]
                found = rank(piece[starts[left] : end])
                if found is not None:
                    yield found, left, end

    queue = list(candidates(range(count)))
    heapify(queue)
    while queue:
        _, left, end = heappop(queue)
        right = after[left]
        if ends[left] < 0 or right >= count or ends[right] != end:
            continue
        if note is not None:
            note(starts[left], ends[left], end)
        ends[left], ends[right] = end, -1
        after[left] = after[right]
        if after[right] < count:
            before[after[right]] = left
        for candidate in candidates((before[left], left)):
            heappush(queue, candidate)
    return [(start, end) for start, end in zip(starts, ends) if end >= 0]
