"""Where a long piece can be cut so that its parts are encoded on their own (clause ``model.bpe.cuts``).

**Lemma.** Any merge across the border between two characters x|y happens first by some merge
(a, b) of the list with a ending in x and b beginning with y. So where no merge has the seam xy,
the border is never crossed, and both sides are encoded as if alone. Only merges matter:
unreachable entries and added tokens cannot break it. It needs every character to become symbols of
its own text: no unknown may vanish or wait, and no merge may name a byte token or the unknown one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import compress, count
from operator import add, itemgetter, not_
from typing import Callable, Dict, FrozenSet, Iterable, List, Pattern, Set

from .bpe_merges import MergeList

MARK = "▁"


def seams(merges: MergeList) -> FrozenSet[str]:
    """Every ``x + y`` such that some merge joins a text that ends in x with one that begins with y."""
    if not len(merges):
        return frozenset()
    return frozenset(map(add, map(itemgetter(-1), merges.left), map(itemgetter(0), merges.right)))


def cut_at(text: str, joined: Callable[[str], bool]) -> List[str]:
    """The parts of `text` between neighbours that are not `joined` (asked with the two characters)."""
    borders = [0, *compress(count(1), map(not_, map(joined, map(add, text, text[1:])))), len(text)]
    return list(map(text.__getitem__, map(slice, borders, borders[1:])))


@dataclass(frozen=True)
class Division:
    """The cuts of one list of merges: coarse ones by one regular expression, the rest pair by pair."""

    seams: FrozenSet[str]
    pattern: Pattern[str]

    @classmethod
    def of(cls, merges: MergeList) -> Division:
        found = seams(merges)
        return cls(found, re.compile(_chunk_pattern(found)))

    def chunks(self, text: str) -> List[str]:
        """Runs of characters that can be joined at all, the word marks in front of them included."""
        return self.pattern.findall(text)

    def parts(self, chunk: str) -> List[str]:
        """The finest proven parts."""
        return cut_at(chunk, self.seams.__contains__)


def _chunk_pattern(found: FrozenSet[str]) -> str:
    r"""Groups of ASCII characters joined among themselves only, and one group for everything else.

    A mark begins a chunk unless a seam says that something joins it from the left (gemma-3 has
    ``>▁``); then the chunk goes on behind such a character.
    """
    groups = _ascii_groups(found)
    small = "".join(sorted("".join(groups)))
    runs = [f"[^{_escaped(small + MARK)}]+", *(f"[{_escaped(group)}]+" for group in groups)]
    run = f"(?:{'|'.join(runs)})"
    into_mark = "".join(sorted(pair[0] for pair in found if pair[1] == MARK and pair[0] != MARK))
    more = f"(?:(?<=[{_escaped(into_mark)}]){MARK}+{run}?)*" if into_mark else ""
    return f"{MARK}*{run}{more}|{MARK}+"


def _ascii_groups(found: Iterable[str]) -> List[str]:
    """ASCII characters by connection through seams, if no other character is connected to them."""
    near: Dict[str, Set[str]] = defaultdict(set)
    for pair in found:
        x, y = pair[0], pair[1]
        if MARK not in (x, y):
            near[x].add(y)
            near[y].add(x)
    groups: List[str] = []
    seen: Set[str] = set()
    for character in map(chr, range(128)):
        if character not in seen:
            group = _connected(character, near)
            seen |= group
            if all(member.isascii() for member in group):
                groups.append("".join(sorted(group)))
    return groups


def _connected(start: str, near: Dict[str, Set[str]]) -> Set[str]:
    group = {start}
    edge = [start]
    while edge:
        new = near.get(edge.pop(), set()) - group
        group |= new
        edge += new
    return group


def _escaped(characters: str) -> str:
    return "".join(map(re.escape, characters))
