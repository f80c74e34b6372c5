"""One letter per character, by its class: then a small `re` pattern can work on any text at full speed.

`text.translate(Classes(...))` keeps positions, so ranges found in it are ranges of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Dict, Iterable, List, Mapping, Tuple

Ranges = Iterable[Tuple[int, int]]

_MOST_REMEMBERED = 1 << 16


class Classes(Dict[int, str]):
    """A `str.translate` table from disjoint code point ranges; fills itself with what texts contain."""

    def __init__(self, letters: Mapping[str, Ranges], other: str) -> None:
        super().__init__()
        ordered = sorted((low, high, letter) for letter, ranges in letters.items() for low, high in ranges)
        self._lows: List[int] = [low for low, _, _ in ordered]
        self._ordered = ordered
        self._other = other

    def __missing__(self, code: int) -> str:
        at = bisect_right(self._lows, code) - 1
        inside = at >= 0 and code <= self._ordered[at][1]
        letter = self._ordered[at][2] if inside else self._other
        if len(self) < _MOST_REMEMBERED:
            self[code] = letter
        return letter
