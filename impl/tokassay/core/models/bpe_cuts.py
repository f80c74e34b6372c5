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
from functools import cached_property
from itertools import compress, count, product, repeat
from operator import add, contains, itemgetter, not_
from string import ascii_lowercase
from typing import Dict, FrozenSet, Iterable, List, Pattern, Set

from .bpe_merges import MergeList

MARK = "▁"
# Pairs of lower-case letters with a seam, of 676: a thousand tokens have below 230, llama-2 has 579.
FEW_LETTERS = 300
_OTHER = rf"[^\x00-\x7F{MARK}]"


def seams(merges: MergeList) -> FrozenSet[str]:
    """Every ``x + y`` such that some merge joins a text that ends in x with one that begins with y."""
    if not len(merges):
        return frozenset()
    return frozenset(map(add, map(itemgetter(-1), merges.left), map(itemgetter(0), merges.right)))


def cut_where(text: str, joined: Iterable[bool]) -> List[str]:
    """The parts of `text` between neighbours that are not `joined` (one answer per border)."""
    borders = [0, *compress(count(1), map(not_, joined)), len(text)]
    return list(map(text.__getitem__, map(slice, borders, borders[1:])))


@dataclass(frozen=True)
class Division:
    """The cuts of one list of merges: coarse ones by one regular expression, the rest pair by pair.

    `scarce`: so few pairs of letters have a seam that the finest parts are syllables, which come again.
    """

    seams: FrozenSet[str]
    pattern: Pattern[str]
    scarce: bool

    @classmethod
    def of(cls, merges: MergeList) -> Division:
        found = seams(merges)
        letters = sum(map(found.__contains__, map("".join, product(ascii_lowercase, repeat=2))))
        return cls(found, re.compile(_chunk_pattern(found)), letters < FEW_LETTERS)

    def chunks(self, text: str) -> List[str]:
        """Runs of characters that can be joined at all, the word marks in front of them included."""
        if not self.scarce:
            return self.pattern.findall(text)
        return cut_where(text, map(contains, map(self.right_of.get, text, repeat(())), text[1:]))

    @cached_property
    def right_of(self) -> Dict[str, Set[str]]:
        """What may follow a character without a cut."""
        found: Dict[str, Set[str]] = defaultdict(set)
        for pair in self.seams:
            found[pair[0]].add(pair[1])
        return dict(found)

    def parts(self, chunk: str) -> List[str]:
        """The finest proven parts."""
        return cut_where(chunk, map(self.seams.__contains__, map(add, chunk, chunk[1:])))


def _chunk_pattern(found: FrozenSet[str]) -> str:
    """Runs of ASCII characters that are connected by seams among themselves, each with the marks before it.

    Two ASCII characters of different groups have no seam, so there a run ends; but one that a
    non-ASCII character follows may be joined to it, and goes on up to a mark or a *closed* character:
    one that has no seam outside its group. A mark begins a chunk unless a seam joins it to what
    stands before it (gemma-3 has ``>▁``): then the chunk goes on.
    """
    groups = _ascii_groups(found)
    open_ones = {one for pair in found if MARK not in pair and not pair.isascii() for one in pair}
    closed = "".join(group for group in groups if open_ones.isdisjoint(group))
    runs = [_run(group, closed) for group in groups if len(group) > 1 or group * 2 in found]
    alone = {group for group in groups if len(group) == 1 and group * 2 not in found}
    for single, end in ((alone & set(closed), ""), (alone - set(closed), f"(?!{_OTHER})")):
        runs += [f"[{_escaped(''.join(sorted(single)))}]{end}"] if single else []
    run = f"(?:{'|'.join(sorted(runs, key=len, reverse=True))}|[^{_escaped(MARK + closed)}]+)"
    into_mark = "".join(sorted(pair[0] for pair in found if pair[1] == MARK and pair[0] != MARK))
    more = f"(?:(?<=[{_escaped(into_mark)}]){MARK}+{run}?)*" if into_mark else ""
    return f"{MARK}*{run}{more}|{MARK}+"


def _run(group: str, closed: str) -> str:
    members = f"[{_escaped(group)}]"
    # The look-ahead names the group, too, or a run before a non-ASCII character would end one early.
    return f"{members}+" if group[0] in closed else f"{members}+(?!{members}|{_OTHER})"


def _ascii_groups(found: Iterable[str]) -> List[str]:
    """The ASCII characters, those connected by seams among themselves together."""
    near: Dict[str, Set[str]] = defaultdict(set)
    for pair in filter(str.isascii, found):
        near[pair[0]].add(pair[1])
        near[pair[1]].add(pair[0])
    groups: List[str] = []
    for character in map(chr, range(128)):
        if not any(character in group for group in groups):
            groups.append("".join(sorted(_connected(character, near))))
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
