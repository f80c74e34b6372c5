"""Unigram's best path on a trie whose branches grow when first used.

Exact because it tries the same entries with the same double sums in the same order per end
position; only the look-up of "which entries start here" differs. No cuts inside a piece: the sum
carries the score of everything before, so rounding (and with it a tie) depends on the whole prefix.
The trie is keyed by two characters first: most entries share their first one (the word marker),
and building every branch at load costs more than reading the file.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..errors import EncodeError

Node = Dict[str, Any]  # one character → Node, and SCORE → the score of the entry that ends here
SCORE = ""


class Branches(Dict[str, Node]):
    """First two characters → trie node of the entries that start so, built on first use."""

    def __init__(self, entries: Dict[str, List[Tuple[str, float]]]) -> None:
        super().__init__()
        self.entries = entries

    def __missing__(self, head: str) -> Node:
        entries = self.entries.get(head)
        if entries is None:
            return {}  # not stored: texts hold more pairs than vocabularies
        root: Node = {}
        for token, score in entries:
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

    def path(self, piece: str) -> Optional[List[Tuple[int, int]]]:
        """The same ranges as `unigram.best_path`, or None when the sums leave the range of doubles."""
        starts = self._starts(piece)
        if starts is None:
            return None
        path: List[Tuple[int, int]] = []
        end = len(piece)
        while end > 0:
            path.append((starts[end], end))
            end = starts[end]
        path.reverse()
        return path

    def _starts(self, piece: str) -> Optional[List[int]]:
        size = len(piece)
        floor = float("-inf")  # scores are finite, so this means "not reached yet"
        best = [0.0] + [floor] * size
        starts = [0] * (size + 1)
        singles, branches, unknown = self.singles.get, self.branches, self.unknown_score
        for start in range(size):
            base, after = best[start], start + 1
            score = singles(piece[start])
            # An unknown comes after the longer entries in HF; their ends differ, so the order is free.
            total = base + (unknown if score is None else score)
            if total > best[after]:
                if score is None and not self.has_unknown:
                    raise EncodeError(f"{piece[start]!r} is unknown and the model has no unk_id")
                best[after], starts[after] = total, start
            node: Optional[Node] = branches[piece[start : start + 2]]
            end = start + 2
            while node:
                if SCORE in node and base + node[SCORE] > best[end]:
                    best[end], starts[end] = base + node[SCORE], start
                if end >= size:
                    break
                node = node.get(piece[end])
                end += 1
        return starts if best[size] > floor or not size else None
