"""Tables that are sorted by one column, in the order of another one."""

from __future__ import annotations

from array import array
from itertools import islice
from operator import lt
from typing import Any, Sequence


def by_number(numbers: Sequence[int]) -> Sequence[int]:
    """The places in the order of their numbers. ValueError for a number that comes twice."""
    count = len(numbers)
    if max(numbers, default=-1) >= count:
        if len(set(numbers)) != count:
            raise ValueError(count)
        return sorted(range(count), key=numbers.__getitem__)
    found = array("q", [-1]) * count
    for place, number in enumerate(numbers):
        found[number] = place
    if -1 in found:  # as many numbers as places, and one place is nobody's
        raise ValueError(count)
    return found


def ascends(values: Sequence[Any]) -> bool:
    """Whether every value is above the one before it."""
    return all(map(lt, values, islice(values, 1, None)))
