"""Characters that a pattern cannot tell apart become one: the text is mapped before `re` sees it.

Every non-ASCII character is replaced by a representative with the same memberships, so that the
classes in the translated pattern are small. Clause ``regex.translation.classes``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from ..unicode.case import fold_classes, fold_many, fold_target
from ..unicode.ranges import LAST, Ranges, holds, joined

_ASCII = 0x80


@dataclass(frozen=True)
class Alphabet:
    """`cuts` are (low, high, representative) over all code points from 0x80 up, without a gap.

    `folds` maps characters whose full case foldings are equal to one of them; there are no cuts then.
    """

    cuts: Tuple[Tuple[int, int, int], ...]
    members: Mapping[Ranges, Ranges]
    codes: int
    folds: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def table(self) -> str:
        """Code point to representative, as a text that `str.translate` indexes (1.1 MB)."""
        ascii_part = "".join(map(chr, range(_ASCII)))
        return ascii_part + "".join(chr(code) * (high - low + 1) for low, high, code in self.cuts)

    def map(self, text: str) -> str:
        """The text in representatives, character for character; ASCII stays as it is."""
        if self.folds:
            return text.translate(self.folds)
        return text if text.isascii() or not self.cuts else text.translate(self.table)


def direct(sets: Iterable[Ranges]) -> Alphabet:
    """No mapping: for patterns of few ranges, or with back-references, which compare real characters."""
    return Alphabet((), {one: one for one in sets}, LAST + 1)


def folded(sets: Iterable[Ranges], captured: Iterable[Ranges]) -> Optional[Alphabet]:
    """Equal foldings become one character, as back-references under ``(?i)`` compare.

    None where a set holds some of them and not all, or where one in a group that is referred to holds
    characters whose cases differ in bytes (``regex.references.fold``).
    """
    alike = _alike()
    for one in sets:
        if any(len({holds(one, ord(char)) for char in chars}) > 1 for chars in alike):
            return None
    uneven = [chars for chars in alike if len({len(char.encode()) for char in chars}) > 1]
    if any(holds(one, ord(chars[0])) for one in captured for chars in uneven):
        return None
    folds = {ord(char): ord(chars[0]) for chars in alike for char in chars}
    return Alphabet((), {one: one for one in sets}, LAST + 1, folds)


@lru_cache(maxsize=1)
def _alike() -> Tuple[str, ...]:
    """The characters with equal full foldings, wherever there are several."""
    found: Dict[str, List[str]] = {}
    for char in sorted({*fold_classes(), *fold_many()}):
        found.setdefault(fold_many().get(char, fold_target(char)), []).append(char)
    return tuple("".join(chars) for chars in found.values() if len(chars) > 1)


def classed(sets: Sequence[Ranges]) -> Alphabet:
    """Cut all code points into classes with equal memberships in `sets`."""
    codes = _ascii_codes(sets)
    free = _ASCII
    cuts: List[Tuple[int, int, int]] = []
    reached: Dict[Ranges, List[int]] = {one: [p for p in range(_ASCII) if holds(one, p)] for one in sets}
    for low, high, signature in _intervals(sets):
        if signature not in codes:
            codes[signature] = free
            free += 1
            for at, one in enumerate(sets):
                if signature >> at & 1:
                    reached[one].append(codes[signature])
        cuts.append((low, high, codes[signature]))
    return Alphabet(
        tuple(cuts), {one: joined((p, p) for p in points) for one, points in reached.items()}, free
    )


def _ascii_codes(sets: Sequence[Ranges]) -> Dict[int, int]:
    """Signature of memberships to the first ASCII character that has it."""
    codes: Dict[int, int] = {}
    for point in range(_ASCII):
        signature = sum(holds(one, point) << at for at, one in enumerate(sets))
        codes.setdefault(signature, point)
    return codes


def _intervals(sets: Sequence[Ranges]) -> Iterable[Tuple[int, int, int]]:
    """(low, high, signature) from 0x80 up: a sweep over the ends of all ranges."""
    toggles: Dict[int, int] = {_ASCII: 0}
    for at, one in enumerate(sets):
        for low, high in one:
            if high >= _ASCII:
                for end in (max(low, _ASCII), high + 1):
                    toggles[end] = toggles.get(end, 0) ^ 1 << at
    ends = sorted(end for end in toggles if end <= LAST)
    signature = 0
    for start, stop in zip(ends, [*ends[1:], LAST + 1]):
        signature ^= toggles[start]
        yield start, stop - 1, signature
