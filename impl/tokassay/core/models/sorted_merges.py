"""Merges that stay in the file, sorted by their two ids (``mtok.model.bpe.merges``).

A record is ``[u32 left][u32 right][u32 rank]``.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import chain
from typing import Iterable, List, Mapping, Optional, Sequence, Tuple

from ..errors import FormatError
from .bpe_merges import MergeList

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
            flat = array("I", self.stored)
            flat.byteswap()
            return flat[::3], flat[1::3], flat[2::3]
        view = memoryview(self.stored).cast("I")
        return view[::3], view[1::3], view[2::3]

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
        """All of them, content proven: sorted, no rank twice, of tokens, and making tokens."""
        lefts, rights, ranks = (list(column) for column in self.columns)
        self._prove_order(lefts, rights)
        if len(set(ranks)) != len(ranks):
            at = next(i for i, rank in enumerate(ranks) if ranks.index(rank) != i)
            raise self._fault(at, f"rank {ranks[at]} comes twice")
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        for at in range(len(ranks)):
            left, right = tokens.get(lefts[at]), tokens.get(rights[at])
            if left is None or right is None:
                raise self._fault(at, "names an id that no token has")
            if left + right not in vocab:
                raise self._fault(at, f"makes {left + right!r}, which is not in the vocabulary")
        return MergeList(tuple(tokens[lefts[at]] for at in order), tuple(tokens[rights[at]] for at in order))

    def _prove_order(self, lefts: List[int], rights: List[int]) -> None:
        keys = [(left << 32) | right for left, right in zip(lefts, rights)]
        if sorted(set(keys)) != keys:
            at = next(i for i in range(1, len(keys)) if keys[i] <= keys[i - 1])
            raise self._fault(at, "merges are not sorted, or a pair comes twice")

    def _fault(self, at: int, reason: str) -> FormatError:
        return FormatError(reason, field=f"model.merges[{at}]", path=self.path, offset=self.start + SIZE * at)
