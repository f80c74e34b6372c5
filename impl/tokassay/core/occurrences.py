"""Leftmost-longest search for a fixed set of texts: what the oracle does with an Aho-Corasick automaton.

Clause ``added.match``. One `re` search finds the next place where two characters fit, a walk through a
tree of dicts decides there; both are linear, whatever the number of texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Optional, Pattern, Set, Tuple

from .errors import EncodeError

Found = Tuple[int, int, int]
"""Start, end and id of one occurrence."""

# A node maps a character to the next node; the id of a text that ends here stands under "".
Node = Dict[str, object]


@dataclass(frozen=True)
class Occurrences:
    """Ready to search. `ids`: text → id; the empty text among them is found where no other one is."""

    ids: Mapping[str, int]
    root: Node
    starts: Pattern[str]

    @classmethod
    def of(cls, ids: Mapping[str, int]) -> Occurrences:
        root: Node = {}
        for text, index in ids.items():
            node = root
            for char in text:
                node = node.setdefault(char, {})  # type: ignore[assignment]
            node[""] = index
        return cls(ids, root, _starts(list(ids)))

    def find(self, text: str) -> Iterator[Found]:
        """The occurrences in order; after each the search goes on at its end.

        Raises:
            EncodeError: one of the texts is empty and the oracle fails on `text` (``added.empty-pattern``).
        """
        if "" in self.root:
            yield from self._find_everywhere(text)
            return
        search = self.starts.search
        match = search(text)
        while match:
            start = match.start()
            end, index = self._longest(text, start)
            if end > start:
                yield (start, end, index)
            match = search(text, max(end, start + 1))

    def _find_everywhere(self, text: str) -> Iterator[Found]:
        """With an empty text every place where no longer one begins has an occurrence, the end included.

        Not the place right behind a longer one, though, unless the search for that ran into the text's end.
        """
        at, behind, empty = 0, False, self.ids[""]
        while at < len(text):
            end, index = self._longest(text, at)
            runs_out = self._leads_on(text, at)
            if end > at:
                yield (at, end, index)
                at, behind = end, behind or not runs_out
                continue
            if runs_out:
                raise EncodeError("an added token without text: the oracle's search never ends here")
            if text[at] > "\x7f":
                raise EncodeError("an added token without text: the oracle panics inside a character")
            if not behind:
                yield (at, at, empty)
            at, behind = at + 1, False
        yield (at, at, empty)

    def _leads_on(self, text: str, start: int) -> bool:
        """Whether all that is left of `text` is the beginning of a longer one."""
        node: object = self.root
        for char in text[start:]:
            node = node.get(char)  # type: ignore[attr-defined]
            if node is None:
                return False
        return True

    def _longest(self, text: str, start: int) -> Tuple[int, int]:
        """End and id of the longest text that begins at `start`; the end is `start` when there is none."""
        node: Optional[object] = self.root
        best = (start, -1)
        for at in range(start, len(text)):
            node = node.get(text[at])  # type: ignore[union-attr]
            if node is None:
                break
            if "" in node:  # type: ignore[operator]
                best = (at + 1, node[""])  # type: ignore[index]
        return best


def _starts(texts: List[str]) -> Pattern[str]:
    """Matches one or two characters wherever one of the texts can begin."""
    seconds: Dict[str, Set[str]] = {}
    for text in filter(None, texts):
        seconds.setdefault(text[0], set()).add(text[1:2])
    firsts: Dict[str, List[str]] = {}
    for first, following in seconds.items():
        tail = "" if "" in following else f"(?={_one_of(sorted(following))})"
        firsts.setdefault(tail, []).append(first)
    return re.compile("|".join(_one_of(chars) + tail for tail, chars in firsts.items()))


def _one_of(chars: List[str]) -> str:
    return "[" + "".join(map(re.escape, chars)) + "]"
