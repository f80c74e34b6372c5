r"""``\G``, where the search began, and ``\K``, where the match shall begin. Clauses ``regex.anchors.*``.

A match attempt that starts where the search began passes every ``\G`` that nothing was consumed
before; any other attempt, and any other ``\G``, fails. So a pattern with ``\G`` becomes two.
"""

from __future__ import annotations

from typing import Tuple

from ..errors import PatternError
from ..unicode.ranges import NOTHING
from .nodes import EMPTY, Anchor, Chars, Look, Node, Repeat, Sequence, children, with_children
from .widths import width

START, KEEP = Anchor("G"), Anchor("K")


def contains(node: Node, wanted: Anchor) -> bool:
    return node == wanted or any(contains(part, wanted) for part in children(node))


def passing(node: Node, pattern: str) -> Node:
    r"""The node for an attempt at the search's start: a leading ``\G`` holds."""
    return _resolved(node, pattern, (0, 0))


def failing(node: Node) -> Node:
    r"""The node for every other attempt: ``\G`` never holds."""
    if node == START:
        return Chars(NOTHING)
    return with_children(node, tuple(failing(part) for part in children(node)))


def _resolved(node: Node, pattern: str, before: Tuple[int, object]) -> Node:
    if not contains(node, START):
        return node
    if node == START:
        if before == (0, 0):
            return EMPTY
        if before[0] > 0:
            return Chars(NOTHING)
        raise _refused(pattern, r"a \G that may or may not stand at the start")
    if isinstance(node, Repeat) or (isinstance(node, Look) and node.behind):
        raise _refused(pattern, r"a \G in a repeat or a look-behind")
    if not isinstance(node, Sequence):
        return with_children(node, tuple(_resolved(part, pattern, before) for part in children(node)))
    parts = []
    least, most = before
    for item in node.items:
        parts.append(_resolved(item, pattern, (least, most)))
        low, high = width(item)
        least, most = least + low, 0 if (most, high) == (0, 0) else 1
    return Sequence(tuple(parts))


def check_keep(node: Node, pattern: str) -> None:
    r"""``\K`` must be passed once at most, outside look-arounds; the order of several is not needed."""
    for inner in _all_inside(node):
        if contains(inner, KEEP):
            raise _refused(pattern, r"a \K in a repeat or a look-around")
    if _count(node) > 1:
        raise _refused(pattern, r"more than one \K")


def _all_inside(node: Node) -> Tuple[Node, ...]:
    own = (node,) if isinstance(node, (Repeat, Look)) else ()
    return (*own, *(found for part in children(node) for found in _all_inside(part)))


def _count(node: Node) -> int:
    return int(node == KEEP) + sum(_count(part) for part in children(node))


def _refused(pattern: str, reason: str) -> PatternError:
    return PatternError(
        reason, pattern=pattern, position=max(pattern.find("\\G"), pattern.find("\\K"), 0), refused=True
    )
