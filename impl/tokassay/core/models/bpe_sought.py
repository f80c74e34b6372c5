"""The rank of a merge, sought by bisection among the merges that make the same token.

A table of all pairs takes as long to build as the file to parse. The first short texts need a few
hundred ranks only, so until a tokenizer has been asked for more than that it has no table.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Mapping, NamedTuple, Sequence, Tuple

from .bpe_merges import MergeList
from .vocabulary import Tokens


class SoughtRanks:
    """Left id → row, as in `bpe_merge.rank_table`; for merges that are `simple` (see `bpe_merge.Merges`)."""

    def __init__(
        self, vocab: Mapping[str, int], tokens: Tokens, merges: MergeList, made: Sequence[int]
    ) -> None:
        self.vocab, self.tokens, self.merges, self.made = vocab, tokens, merges, made

    def __getitem__(self, left: int) -> SoughtRow:
        return SoughtRow(self, left)

    @cached_property
    def order(self) -> Tuple[Sequence[int], Sequence[int]]:
        """What is made, ascending, and its rank; most files have their merges in this order already."""
        if isinstance(self.made, range):
            return self.made, range(len(self.made))
        ranks = range(len(self.made))
        made = list(self.made)
        ids = sorted(made)  # of what ascends already that is the cheapest proof
        return ids, ranks if ids == made else sorted(ranks, key=made.__getitem__)

    def sought(self, before: int, behind: int, default: int) -> int:
        """The rank of a pair of ids, or `default`."""
        left = self.tokens[before]
        token = self.vocab.get(left + self.tokens[behind])
        if token is None:
            return default
        ids, ranks = self.order
        at = bisect_right(ids, token) - 1
        while at >= 0 and ids[at] == token:  # from the last one on, which is the one that counts
            if self.merges.left[ranks[at]] == left:
                return ranks[at]
            at -= 1
        return default


class SoughtRow(NamedTuple):
    """The ranks of the pairs with one left id."""

    ranks: SoughtRanks
    left: int

    def get(self, right: int, default: int) -> int:
        return self.ranks.sought(self.left, right, default)
