"""In how many ways a pattern can match at one place, roughly: `re` tries them all before it gives up.

Clause ``regex.limits``.
"""

from __future__ import annotations

from itertools import combinations
from math import inf, log2
from typing import List

from ..unicode.ranges import intersection
from .nodes import Alternatives, Atomic, Look, Node, Repeat, children
from .widths import first, width

MOST = 20.0
"""Bits of ways that `re` goes through in good time."""
_UNBOUNDED = 4.0


def many_ways(node: Node) -> bool:
    """Whether `re` may take exponential time on it."""
    parts = (node, *_attempts(node))
    return any(ways(part, exact=False) > MOST and ways(part) > MOST for part in parts)


def _attempts(node: Node) -> List[Node]:
    """The bodies that are matched on their own: what they gave is not tried in another way."""
    own = [node.body] if isinstance(node, (Atomic, Look)) else []
    return own + [found for part in children(node) for found in _attempts(part)]


def ways(node: Node, *, exact: bool = True) -> float:
    """The number of ways as a power of two; 0 is one way for certain. Quicker, and more, if not `exact`."""
    if isinstance(node, (Atomic, Look)) or not children(node):
        return 0.0
    inner = [ways(part, exact=exact) for part in children(node)]
    if isinstance(node, Alternatives):
        return max(inner) + (0.0 if exact and _apart(node) else log2(len(inner)))
    return _of_repeat(node, inner[0]) if isinstance(node, Repeat) else sum(inner)


def _of_repeat(node: Repeat, inner: float) -> float:
    counts = _UNBOUNDED if node.high is None else log2(node.high - node.low + 1)
    if node.high is not None and node.high < 2:
        return counts + inner
    if not inner and width(node.body)[0]:
        return counts
    return inf if node.high is None else counts + node.high * max(inner, 1.0)


def _apart(node: Alternatives) -> bool:
    """Whether the next character tells which option it must be."""
    if not all(width(option)[0] for option in node.options):
        return False
    return not any(intersection(one, two) for one, two in combinations(map(first, node.options), 2))
