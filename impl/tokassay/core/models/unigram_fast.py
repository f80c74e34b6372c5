"""Unigram's best path on a trie whose branches grow when first used.

Exact because it tries the same entries with the same double sums in the same order per end
position; only the look-up of "which entries start here" differs. No cuts inside a piece: the sum
carries the score of everything before, so rounding (and with it a tie) depends on the whole prefix.
The trie is keyed by two characters first: most entries share their first one (the word marker),
and building every branch at load costs more than reading the file.

*Foreign* characters are in no entry at all. In a run of them there is one way only, unknown after
unknown, and no entry reaches into the run; so it takes no search, only the same sums.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, repeat
from typing import Any, Dict, Iterator, List, Optional, Pattern, Sequence, Tuple

from ..errors import EncodeError
from ..unicode.ranges import class_body, of_text

LONG = 64
Node = Dict[str, Any]  # one character → Node, and SCORE → the score of the entry that ends here
SCORE = ""


class Branches(Dict[str, Node]):
    """First two characters → trie node of the entries that start so, built on first use."""

    def __init__(self, entries: Dict[str, List[Tuple[str, float]]]) -> None:
        super().__init__()
        self.entries = entries

    def __missing__(self, head: str) -> Node:
        root: Node = {}
        for token, score in self.entries[head]:
            node = root
            for character in token[2:]:
                node = node.setdefault(character, {})
            node[SCORE] = score
        self[head] = root
        return root


@dataclass(frozen=True)
class Trie:
    """Entries of one character, and the longer ones by their first two."""

    singles: Dict[str, float]
    branches: Branches
    unknown_score: float
    has_unknown: bool

    @classmethod
    def of(cls, pieces: Sequence[Tuple[str, float]], unknown_score: float, has_unknown: bool) -> Trie:
        groups: Dict[str, List[Tuple[str, float]]] = defaultdict(list)
        singles: Dict[str, float] = {}
        for piece in pieces:
            token = piece[0]
            if len(token) > 1:
                groups[token[:2]].append(piece)
            elif token:
                singles[token] = piece[1]
        return cls(singles, Branches(dict(groups)), unknown_score, has_unknown)

    @cached_property
    def foreign(self) -> Pattern[str]:
        """Runs of foreign characters."""
        known = set(chain(self.singles, *self.branches.entries))
        for token, _ in chain.from_iterable(self.branches.entries.values()):
            known.update(token)
        return re.compile(f"[^{class_body(of_text(''.join(known)))}]+" if known else "(?s:.)+")

    def path(self, piece: str, *, fused: bool = False) -> Optional[List[Tuple[int, int]]]:
        """The same ranges as `unigram.best_path`, or None when the sums leave the range of doubles.

        `fused`: a run of foreign characters in a long piece may be one range.
        """
        starts = self._starts(piece, fused=fused)
        if starts is None:
            return None
        path: List[Tuple[int, int]] = []
        end = len(piece)
        while end > 0:
            path.append((starts[end], end))
            end = starts[end]
        path.reverse()
        return path

    def _starts(self, piece: str, *, fused: bool) -> Optional[List[int]]:
        size = len(piece)
        floor = float("-inf")  # scores are finite, so this means "not reached yet"
        best = [0.0] + [floor] * size
        starts = [0] * (size + 1)
        at = 0
        for begin, end in self._foreign_runs(piece):
            self._search(piece, at, begin, best, starts)
            best[begin + 1 : end + 1] = self._sums(best[begin], end - begin)
            starts[begin + 1 : end + 1] = range(begin, end)
            if fused:
                starts[end] = begin  # nothing else ends inside the run
            at = end
        self._search(piece, at, size, best, starts)
        return starts if best[size] > floor or not size else None

    def _foreign_runs(self, piece: str) -> Iterator[Tuple[int, int]]:
        if len(piece) > LONG and self.has_unknown:
            for run in self.foreign.finditer(piece):
                yield run.span()

    def _sums(self, base: float, count: int) -> List[float]:
        return list(accumulate(repeat(self.unknown_score, count), initial=base))[1:]

    def _search(self, piece: str, begin: int, stop: int, best: List[float], starts: List[int]) -> None:
        """The best ways on from the places `begin` to `stop`."""
        size, singles, unknown = len(piece), self.singles.get, self.unknown_score
        branches, built, heads = self.branches, self.branches.get, self.branches.entries
        for start in range(begin, stop):
            base, after = best[start], start + 1
            score = singles(piece[start])
            # An unknown comes after the longer entries in HF; their ends differ, so the order is free.
            total = base + (unknown if score is None else score)
            if total > best[after]:
                if score is None and not self.has_unknown:
                    raise EncodeError(f"{piece[start]!r} is unknown and the model has no unk_id")
                best[after], starts[after] = total, start
            head = piece[start : after + 1]
            node: Optional[Node] = built(head)
            if node is None and head in heads:
                node = branches[head]
            end = start + 2
            while node:
                if SCORE in node and base + node[SCORE] > best[end]:
                    best[end], starts[end] = base + node[SCORE], start
                if end >= size:
                    break
                node = node.get(piece[end])
                end += 1
