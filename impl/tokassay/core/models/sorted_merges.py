"""Merges that stay in the file, sorted by their two ids (``mtok.model.bpe.merges``).

A record is ``[u32 left][u32 right][u32 rank]``.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import chain, repeat
from operator import lshift, or_
from typing import Iterable, Mapping, Optional, Sequence, Set, Tuple

from ..errors import FormatError
from .bpe_merges import MergeList
from .ordering import ascends, by_number

SIZE = 12
Merge = Tuple[int, int, int]
"""Left id, right id, rank."""


class SortedMerges:
    """(left id, right id) → rank, by bisection in the columns; equal when their bytes are."""

    def __init__(self, data: bytes, start: int, count: int) -> None:
        """FormatError when `count` merges do not fit."""
        if count > (len(data) - start) // SIZE:
            raise FormatError(f"{count} merges do not fit into the file", field="model.merges", offset=start)
        self.stored, self.start, self.count = data[start : start + SIZE * count], start, count
        self.path: Optional[str] = None  # of the file, for what is found wrong later

    @classmethod
    def of(cls, merges: Iterable[Merge]) -> SortedMerges:
        """From merges in rank order; equal pairs stay in that order."""
        by_pair = sorted(merges, key=lambda merge: (merge[0], merge[1]))
        flat = array("I", chain.from_iterable(by_pair))
        if sys.byteorder == "big":
            flat.byteswap()
        data = flat.tobytes()
        return cls(data, 0, len(data) // SIZE)

    def __eq__(self, other: object) -> bool:
        return self.stored == other.stored if isinstance(other, SortedMerges) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.count

    @cached_property
    def columns(self) -> Tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Left ids, right ids, ranks."""
        if sys.byteorder == "big":
            return self._copied()
        view = memoryview(self.stored).cast("I")
        return view[::3], view[1::3], view[2::3]

    def _copied(self) -> Tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """The columns in arrays of their own, which are faster to go through."""
        flat = array("I", self.stored)
        if sys.byteorder == "big":
            flat.byteswap()
        return flat[::3], flat[1::3], flat[2::3]

    def rank(self, left: int, right: int) -> Optional[int]:
        """Of equal pairs the first one counts."""
        lefts, rights, ranks = self.columns
        low = bisect_left(lefts, left)
        if low == self.count or lefts[low] != left:
            return None
        high = bisect_right(lefts, left, low)
        at = bisect_left(rights, right, low, high)
        return ranks[at] if at < high and rights[at] == right else None

    def place(self, left: int, right: int) -> int:
        """Where the merge of a pair stands in the file."""
        lefts, rights, _ = self.columns
        low = bisect_left(lefts, left)
        return self.start + SIZE * bisect_left(rights, right, low, bisect_right(lefts, left, low))

    def in_rank_order(self, tokens: Mapping[int, str], vocab: Mapping[str, int]) -> MergeList:
        """All of them: sorted, no rank twice, of tokens. What they make is for `BPE` to look up."""
        lefts, rights, ranks = self._copied()
        if not ascends(list(map(or_, map(lshift, lefts, repeat(32)), rights))):
            raise self._unsorted(list(zip(lefts, rights)))
        try:
            # Half a million merges: a pass in C for each step. A fault is sought only where there is one.
            left, right = (list(map(tokens.__getitem__, ids)) for ids in (lefts, rights))
            order = by_number(ranks)
        except (KeyError, ValueError):
            raise self._unsound(tokens, lefts, rights, ranks) from None
        return MergeList(tuple(map(left.__getitem__, order)), tuple(map(right.__getitem__, order)), vocab)

    def _unsorted(self, pairs: Sequence[Tuple[int, int]]) -> FormatError:
        at = next(i for i in range(1, len(pairs)) if pairs[i] <= pairs[i - 1])
        return self._fault(at, "merges are not sorted, or a pair comes twice")

    def _unsound(
        self, tokens: Mapping[int, str], lefts: Sequence[int], rights: Sequence[int], ranks: Sequence[int]
    ) -> FormatError:
        """The first rank that comes twice, else the first merge of what is no token."""
        seen: Set[int] = set()
        for at, rank in enumerate(ranks):
            if rank in seen:
                return self._fault(at, f"rank {rank} comes twice")
            seen.add(rank)
        at = next(i for i, pair in enumerate(zip(lefts, rights)) if not tokens.keys() >= set(pair))
        return self._fault(at, "names an id that no token has")

    def making_nothing(self, tokens: Mapping[int, str], vocab: Mapping[str, int]) -> Optional[FormatError]:
        """The first merge in the file that makes no token; None where all do."""
        for at, (left, right) in enumerate(zip(*self.columns[:2])):
            made = tokens[left] + tokens[right]
            if made not in vocab:
                return self._fault(at, f"makes {made!r}, which is not in the vocabulary")
        return None

    def _fault(self, at: int, reason: str) -> FormatError:
        return FormatError(reason, field=f"model.merges[{at}]", path=self.path, offset=self.start + SIZE * at)
