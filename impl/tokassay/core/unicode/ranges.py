"""Sets of code points as sorted, disjoint, inclusive ranges; the algebra that classes need."""

from __future__ import annotations

from bisect import bisect_right
from typing import Iterable, List, Tuple

Range = Tuple[int, int]
Ranges = Tuple[Range, ...]

LAST = 0x10FFFF
EVERYTHING: Ranges = ((0, LAST),)
NOTHING: Ranges = ()
ASCII: Ranges = ((0, 0x7F),)


def joined(parts: Iterable[Range]) -> Ranges:
    """The union of ranges in any order, adjacent ones merged."""
    found: List[Range] = []
    for low, high in sorted(parts):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def union(*sets: Ranges) -> Ranges:
    return joined([part for one in sets for part in one])


def complement(ranges: Ranges) -> Ranges:
    found: List[Range] = []
    start = 0
    for low, high in ranges:
        if low > start:
            found.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        found.append((start, LAST))
    return tuple(found)


def intersection(left: Ranges, right: Ranges) -> Ranges:
    return complement(union(complement(left), complement(right)))


def difference(left: Ranges, right: Ranges) -> Ranges:
    return intersection(left, complement(right))


def symmetric_difference(left: Ranges, right: Ranges) -> Ranges:
    return union(difference(left, right), difference(right, left))


def holds(ranges: Ranges, point: int) -> bool:
    at = bisect_right(ranges, (point, LAST)) - 1
    return at >= 0 and ranges[at][1] >= point


def of_text(chars: str) -> Ranges:
    return joined((ord(char), ord(char)) for char in chars)


def size(ranges: Ranges) -> int:
    return sum(high - low + 1 for low, high in ranges)


def class_body(ranges: Ranges) -> str:
    """The ranges as the inside of a `re` class, escaped so that no character has a meaning."""
    return "".join(
        _escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}" for low, high in ranges
    )


def _escaped(point: int) -> str:
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
