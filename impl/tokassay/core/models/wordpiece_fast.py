"""WordPiece's greedy walk on two dictionaries: entries that begin a piece, entries that continue one.

Exact because an entry can continue a piece only if it starts with the prefix, and no match is
longer than the longest entry of its dictionary: no other candidate is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional


@dataclass(frozen=True)
class Entries:
    """`heads` hold whole entries, `tails` what follows the prefix; the longest of each in characters."""

    heads: Mapping[str, int]
    tails: Mapping[str, int]
    longest_head: int
    longest_tail: int

    @classmethod
    def of(cls, vocab: Mapping[str, int], prefix: str) -> Entries:
        tails: Dict[str, int] = {
            token[len(prefix) :]: index for token, index in vocab.items() if token.startswith(prefix)
        }
        return cls(vocab, tails, max(map(len, vocab), default=0), max(map(len, tails), default=0))

    def greedy(self, piece: str) -> Optional[List[int]]:
        """The ids, or None where some position has no entry."""
        entries, longest, size = self.heads, self.longest_head, len(piece)
        found: List[int] = []
        start = 0
        while start < size:
            for end in range(min(size, start + longest), start, -1):
                index = entries.get(piece[start:end])
                if index is not None:
                    break
            else:
                return None
            found.append(index)
            start = end
            entries, longest = self.tails, self.longest_tail
        return found
