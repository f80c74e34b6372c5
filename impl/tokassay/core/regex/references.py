"""Back-references that Python's `re` would not take as they are. Clause ``regex.references``."""

from __future__ import annotations

from typing import FrozenSet, Tuple

from ..errors import PatternError
from ..unicode.ranges import NOTHING
from .nodes import BackReference, Capture, Chars, Node, Repeat, children, with_children


def wanted_groups(node: Node) -> FrozenSet[int]:
    """The numbers of the groups that some reference names."""
    own = frozenset((node.number,)) if isinstance(node, BackReference) else frozenset()
    return own.union(*(wanted_groups(part) for part in children(node)))


def resolved(node: Node, pattern: str) -> Node:
    """A reference before its group never matches; one inside it, or in a loop around both, is refused."""
    return _walk(node, pattern, frozenset(), frozenset(), looped=False)[0]


def _walk(
    node: Node, pattern: str, closed: FrozenSet[int], opened: FrozenSet[int], *, looped: bool
) -> Tuple[Node, FrozenSet[int]]:
    """The node, and the groups that are closed behind it."""
    if isinstance(node, BackReference):
        if node.number in closed:
            return node, closed
        if looped or node.number in opened:
            reason = "a back-reference inside its group, or before it in a loop"
            raise PatternError(reason, pattern=pattern, position=node.at, refused=True)
        return Chars(NOTHING), closed
    looped = looped or isinstance(node, Repeat)
    if isinstance(node, Capture):
        opened |= {node.number}
    parts = []
    for part in children(node):
        found, closed = _walk(part, pattern, closed, opened, looped=looped)
        parts.append(found)
    if isinstance(node, Capture):
        closed |= {node.number}
    return with_children(node, tuple(parts)), closed
