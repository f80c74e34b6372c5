"""BPE ids without the definition's cost: three exact loops, chosen by length and kind.

* up to `SHORT` symbols: a list of the ranks of the adjacent pairs, patched at two places per merge.
  It is the definition itself; only unchanged ranks are not looked up again.
* longer pieces: a left-to-right search for the one sequence of valid tokens whose neighbours are
  valid pairs (`bpe_seams` has the theorem). Linear but for the retries.
* models whose merges are not `simple`, or that have a suffix: symbols and the queue of `bpe_merge`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from operator import add
from typing import Dict, List, Optional, Set

from .bpe_merge import Merges, merge_queue
from .bpe_seams import Seams
from .bpe_symbols import Alphabet

SHORT = 14
NO_RANK = 1 << 30


class Characters(Dict[str, Optional[int]]):
    """Character → id of its entry, None for unknown; found when first asked, bounded by the vocabulary."""

    def __init__(self, alphabet: Alphabet) -> None:
        super().__init__()
        self.vocab = alphabet.vocab

    def __missing__(self, character: str) -> Optional[int]:
        found = self.vocab.get(character)
        if found is not None:  # unknown characters are not kept: there are more of them than entries
            self[character] = found
        return found


def merge_ranked(ids: List[int], merges: Merges) -> List[int]:
    """`bpe_merge.merge_plain` on bare ids, in place: ranks of adjacent pairs in a list, least first."""
    ranks, made, width = merges.ranks.get, merges.made, merges.width
    row: List[int] = list(map(ranks, map(add, map(width.__mul__, ids), ids[1:]), repeat(NO_RANK)))
    row.append(NO_RANK)  # the last symbol has no right neighbour
    while True:
        rank = min(row)
        if rank == NO_RANK:
            return ids
        at = row.index(rank)  # the first of equal ranks is the leftmost
        new = ids[at] = made[rank]
        del ids[at + 1], row[at]
        if at:
            row[at - 1] = ranks(ids[at - 1] * width + new, NO_RANK)
        if at + 1 < len(ids):
            row[at] = ranks(new * width + ids[at + 1], NO_RANK)


@dataclass(frozen=True)
class FastBPE:
    """`ids` of a piece; equal to the definition for every model."""

    alphabet: Alphabet
    merges: Merges
    characters: Characters

    @classmethod
    def of(cls, alphabet: Alphabet, merges: Merges) -> FastBPE:
        return cls(alphabet, merges, Characters(alphabet))

    @cached_property
    def seams(self) -> Seams:
        return Seams(self.alphabet.vocab, self.merges, self.encode_short)

    @cached_property
    def longest(self) -> Dict[str, int]:
        """First two characters → length of the longest entry that starts so (made for long pieces only)."""
        longest: Dict[str, int] = defaultdict(lambda: 1)
        for token in self.alphabet.vocab:
            head = token[:2]
            longest[head] = max(longest[head], len(token))
        return dict(longest)

    def ids(self, piece: str) -> List[int]:
        """Raises EncodeError for an unknown character whose `unk_token` is not in the vocabulary."""
        if self.merges.simple and not self.alphabet.suffix:
            ids = list(map(self.characters.__getitem__, piece))
            if None not in ids:
                return merge_ranked(ids, self.merges) if len(ids) <= SHORT else self.search(piece)  # type: ignore[arg-type]
        symbols = self.alphabet.symbols(piece)
        if self.merges.simple and len(symbols) <= SHORT:
            return merge_ranked([index for index, _ in symbols], self.merges)
        return [index for index, _ in merge_queue(symbols, self.merges)]

    def encode_short(self, piece: str) -> List[int]:
        """Known characters only; for the few tokens and pairs that `Seams` cannot reason about."""
        ids: List[int] = list(map(self.characters.__getitem__, piece))  # type: ignore[arg-type]
        return merge_ranked(ids, self.merges)

    def search(self, piece: str) -> List[int]:
        """The sequence of valid tokens with valid neighbours: there is exactly one, and it is BPE's.

        Tries the longest entry first and steps back where nothing fits. A place where nothing
        fitted stays `dead`: the tokens up to a place are the BPE of the text up to there, hence
        unique, so coming back to it by other tokens is impossible. Known characters only.
        """
        entry, trees, seams, longest = self.alphabet.vocab.get, self.seams.trees, self.seams, self.longest
        width, size = self.merges.width, len(piece)
        tokens: List[int] = []
        starts: List[int] = []
        dead: Set[int] = set()
        at, before = 0, -1
        end = min(size, longest.get(piece[:2], 1))
        while at < size:
            while end > at:
                token = entry(piece[at:end])
                # Cheapest test first; the last one is the theorem's.
                if (
                    token is not None
                    and end not in dead
                    and trees[token] is not None
                    and (before < 0 or not seams[before * width + token])
                ):
                    break
                end -= 1
            else:
                dead.add(at)
                tokens.pop()
                end, at = at - 1, starts.pop()
                before = tokens[-1] if tokens else -1
                continue
            tokens.append(token)
            starts.append(at)
            before, at = token, end
            end = min(size, at + longest.get(piece[at : at + 2], 1))
        return tokens
