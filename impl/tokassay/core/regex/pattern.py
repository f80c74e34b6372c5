"""A compiled pattern and the oracle's search loop. Clauses ``regex.search.*``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Callable, Iterator, List, Optional, Tuple, Union

from ..unicode.ranges import LAST
from .alphabet import Alphabet
from .memo import Found, Memo
from .shortcut import EVERYWHERE, ONLY, START

Span = Tuple[int, int]
Finder = Union["re.Pattern[str]", Memo]


@dataclass(frozen=True)
class Pattern:
    r"""A pattern ready to search; `source` is what was written.

    `nullable`: a match without width is possible. `gapless`: every character of any text is in a
    match. `anchored` is tried first, at the search's start only, where ``\G`` is in the pattern.
    `places` is where the oracle's search looks at all (`tokassay.core.regex.shortcut`).
    """

    source: str
    nullable: bool
    gapless: bool
    alphabet: Alphabet = field(repr=False, compare=False)
    finder: Finder = field(repr=False, compare=False)
    cutter: Optional[re.Pattern[str]] = field(repr=False, compare=False)
    anchored: Optional[Finder] = field(default=None, repr=False, compare=False)
    keeps: bool = False
    mark: Optional[Callable[[str, str], str]] = field(default=None, repr=False, compare=False)
    places: str = EVERYWHERE

    def spans(self, text: str) -> List[Span]:
        """The ranges of all matches in order, empty ones included; none in an empty text."""
        if not text:
            return []
        mapped = self.mapped(text)
        if self.nullable or self.keeps or self.anchored is not None or self.places != EVERYWHERE:
            return self._searched(mapped)
        return [match.span() for match in self.finder.finditer(mapped)]

    def pieces(self, text: str) -> List[str]:
        """The text cut at every match, matches and gaps alike, without empty pieces."""
        if self.cutter is None:
            return _cut_at(text, self.spans(text))
        mapped = self.mapped(text)
        parts = self.finder.findall(mapped) if self.gapless else list(filter(None, self.cutter.split(mapped)))
        if mapped is text:
            return parts
        starts = [0, *accumulate(map(len, parts))]
        return [text[start:end] for start, end in zip(starts, starts[1:])]

    @property
    def ascii_pieces(self) -> Optional[Callable[[str], List[str]]]:
        """`pieces` for ASCII text alone as one call of `re`, where it comes to that."""
        return self.finder.findall if self.gapless and self.mark is None else None

    def edges(self) -> str:
        """The characters next to the ends of all ranges in the pattern: where a wrong table shows."""
        ends = {end for one in self.alphabet.members for pair in one for end in pair}
        near = {end + step for end in ends for step in (-1, 0, 1)}
        return "".join(chr(p) for p in sorted(near) if 0 <= p <= LAST and not 0xD800 <= p < 0xE000)

    def mapped(self, text: str) -> str:
        """What `finder` sees: one representative for each character."""
        mapped = self.alphabet.map(text)
        return self.mark(text, mapped) if self.mark is not None else mapped

    def _searched(self, mapped: str) -> List[Span]:
        found: List[Span] = []
        at, last, size = 0, -1, len(mapped)
        while at <= size:
            match = self._search(mapped, at)
            if match is None:
                break
            start, end = match
            if start == end == last:
                at += 1  # the oracle steps over one character here, it does not try a longer match
                continue
            found.append(match)
            at = last = end
        return found

    def _search(self, mapped: str, at: int) -> Optional[Span]:
        match = self._first_match(mapped, at)
        if match is None:
            return None
        kept = match.start("keep") if self.keeps and isinstance(match, re.Match) else -1
        return (match.start() if kept < 0 else kept), match.end()

    def _first_match(self, mapped: str, at: int) -> Union[re.Match[str], Found, None]:
        if self.anchored is None and self.places == EVERYWHERE:
            return self.finder.search(mapped, at)
        match = (self.anchored or self.finder).match(mapped, at)
        if match is not None or self.places == ONLY or at == len(mapped):
            return match
        if self.places == EVERYWHERE:
            return self.finder.search(mapped, at + 1)
        if self.places == START:
            return self.finder.match(mapped, at + 1)
        found = (self.finder.match(mapped, place) for place in _behind_line_ends(mapped, at))
        return next((match for match in found if match is not None), None)


def _behind_line_ends(mapped: str, at: int) -> Iterator[int]:
    end = mapped.find("\n", at)
    while 0 <= end < len(mapped) - 1:
        yield end + 1
        end = mapped.find("\n", end + 1)


def _cut_at(text: str, spans: List[Span]) -> List[str]:
    parts: List[str] = []
    done = 0
    for start, end in spans:
        parts += (text[done:start], text[start:end])
        done = end
    return [part for part in (*parts, text[done:]) if part]
