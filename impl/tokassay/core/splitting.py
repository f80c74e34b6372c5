"""Cutting a text at matches: the five delimiter behaviours, and fast cutting at single characters.

Clauses ``pretok.behaviour.*``. A pattern gives the ranges it matches, empty ones included; `ranges`
turns them into the ranges of the pieces, which may be empty here and are dropped by the caller.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import List, Pattern, Sequence, Tuple

from .aligned import Span
from .unicode.ranges import Ranges, class_body, complement

BEHAVIOURS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")

Flagged = Tuple[Span, bool]


def flagged(matches: Sequence[Span], size: int, invert: bool = False) -> List[Flagged]:
    """The whole text as (range, is it a match) in order; `invert` flips every flag."""
    found: List[Flagged] = []
    done = 0
    for start, end in matches:
        if done != start:
            found.append(((done, start), invert))
        found.append(((start, end), not invert))
        done = end
    if done != size or not size:
        found.append(((done, size), invert))
    return found


def ranges(matches: Sequence[Span], size: int, behaviour: str, invert: bool = False) -> List[Span]:
    """The ranges of the pieces of a text of `size` characters cut at `matches`."""
    parts = flagged(matches, size, invert)
    if behaviour == "Isolated":
        return [span for span, _ in parts]
    if behaviour == "Removed":
        return [span for span, is_match in parts if not is_match]
    if behaviour == "Contiguous":
        return _contiguous(parts)
    if behaviour == "MergedWithPrevious":
        return _merged(parts)
    return [(-end, -start) for start, end in _merged(_mirrored(parts))][::-1]


def _contiguous(parts: Sequence[Flagged]) -> List[Span]:
    """Neighbours with the same flag become one piece; the first part counts as following no match."""
    joined: List[Span] = []
    previous = False
    for (start, end), is_match in parts:
        if is_match == previous and joined:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
        previous = is_match
    return joined


def _merged(parts: Sequence[Flagged]) -> List[Span]:
    """A match joins the piece before it, unless that one ended with a match."""
    joined: List[Span] = []
    previous = False
    for (start, end), is_match in parts:
        if is_match and not previous and joined:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
        previous = is_match
    return joined


def _mirrored(parts: Sequence[Flagged]) -> List[Flagged]:
    return [((-end, -start), is_match) for (start, end), is_match in reversed(parts)]


# What a piece looks like, when every character of a class is a match by itself: {c} one that is
# in the class, {n} one that is not.
_PIECE = {
    "Removed": "{n}+",
    "Isolated": "{c}|{n}+",
    "Contiguous": "{c}+|{n}+",
    "MergedWithPrevious": "{n}+{c}?|{c}",
    "MergedWithNext": "{c}?{n}+|{c}",
}


@lru_cache(maxsize=64)
def _cutters(members: Ranges, behaviour: str) -> Tuple[Pattern[str], Pattern[str]]:
    """The piece pattern for ASCII text, and the one for any text (astral ranges make `re` slow)."""
    ascii_only = tuple((low, min(high, 0x7F)) for low, high in members if low < 0x80)
    return _cutter(ascii_only, behaviour), _cutter(members, behaviour)


def _cutter(members: Ranges, behaviour: str) -> Pattern[str]:
    if not members:
        return re.compile(r"[\s\S]+")
    # Written by what is outside: `re` finds most characters of most texts in its first table then.
    outside = class_body(complement(members))
    return re.compile(_PIECE[behaviour].format(c=f"[^{outside}]", n=f"[{outside}]"))


def cut_at(members: Ranges, behaviour: str, text: str) -> List[str]:
    """The pieces of `text` where every character in `members` is a match of its own."""
    for_ascii, for_any = _cutters(members, behaviour)
    return (for_ascii if text.isascii() else for_any).findall(text)


@lru_cache(maxsize=64)
def _finder(members: Ranges) -> Pattern[str]:
    return re.compile(f"[^{class_body(complement(members))}]")


def find_in(members: Ranges, text: str) -> List[Span]:
    """The range of every character of `text` that is in `members`."""
    return [match.span() for match in _finder(members).finditer(text)]
