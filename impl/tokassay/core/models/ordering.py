"""Tables that are sorted by one column, in the order of another one."""

from __future__ import annotations

from array import array
from itertools import islice
from operator import lt
from typing import Any, Sequence


def by_number(numbers: Sequence[int]) -> Sequence[int]:
    """The places in the order of their numbers. ValueError for a number that comes twice."""
    count = len(numbers)
    if len(set(numbers)) != count:
        raise ValueError(count)
    if max(numbers, default=0) >= count > 0:
        return sorted(range(count), key=numbers.__getitem__)
    found = array("I", bytes(array("I").itemsize * count))
    for place, number in enumerate(numbers):
        found[number] = place
    return found


def ascends(values: Sequence[Any]) -> bool:
    """Whether every value is above the one before it."""
    return all(map(lt, values, islice(values, 1, None)))
