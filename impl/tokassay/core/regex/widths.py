"""How many characters a node consumes at least and at most, and which it can begin with."""

from __future__ import annotations

from typing import Iterable, Optional, Tuple
from typing import Sequence as Items

from ..unicode.ranges import NOTHING, Ranges, union
from .nodes import (
    Alternatives,
    Anchor,
    BackReference,
    Capture,
    Chars,
    Enclosed,
    Literal,
    Look,
    Node,
    Repeat,
    Sequence,
    children,
)

Width = Tuple[int, Optional[int]]


def width(node: Node) -> Width:
    """(least, most); most is None without a bound."""
    if isinstance(node, Chars):
        return 1, 1
    if isinstance(node, Literal):
        return len(node.text), len(node.text)
    if isinstance(node, (Anchor, Look)):
        return 0, 0
    if isinstance(node, BackReference):
        return 0, None
    if isinstance(node, Sequence):
        return _sum(width(item) for item in node.items)
    if isinstance(node, Alternatives):
        return _span([width(option) for option in node.options])
    if isinstance(node, Repeat):
        return _times(width(node.body), node.low, node.high)
    return width(children(node)[0])


def _sum(widths: Iterable[Width]) -> Width:
    least, most = 0, 0
    bounded = True
    for low, high in widths:
        least += low
        bounded = bounded and high is not None
        most += high or 0
    return least, most if bounded else None


def _span(widths: Items[Width]) -> Width:
    highs = [high for _, high in widths]
    most = None if None in highs else max(high for high in highs if high is not None)
    return min(low for low, _ in widths), most


def _times(body: Width, low: int, high: Optional[int]) -> Width:
    if body[1] == 0:
        return 0, 0
    return body[0] * low, None if high is None or body[1] is None else body[1] * high


def first(node: Node) -> Ranges:
    """Every character that the node may consume first."""
    if isinstance(node, Chars):
        return node.ranges
    if isinstance(node, Sequence):
        return first_of(node.items)[0]
    if isinstance(node, (Anchor, Look)):
        return NOTHING
    return union(*(first(part) for part in children(node)))


def first_of(items: Items[Node]) -> Tuple[Ranges, bool]:
    """The same for a sequence, and whether it must consume something."""
    found: Ranges = NOTHING
    for item in items:
        found = union(found, first(item))
        if width(item)[0] > 0:
            return found, True
    return found, False


def always_consumed(node: Node) -> Ranges:
    """Characters at which the node matches whatever stands around them (not all such, but surely these)."""
    if isinstance(node, Chars):
        return node.ranges
    if isinstance(node, Alternatives):
        return union(*(always_consumed(option) for option in node.options))
    if isinstance(node, Repeat):
        return always_consumed(node.body) if node.low == 1 else NOTHING
    if isinstance(node, Sequence):
        needed = [item for item in node.items if not (isinstance(item, Repeat) and item.low == 0)]
        return always_consumed(needed[0]) if len(needed) == 1 else NOTHING
    if isinstance(node, (Capture, Enclosed)):
        return always_consumed(node.body)
    return NOTHING
