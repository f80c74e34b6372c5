r"""Back-references and calls, which Python's `re` would not take as they are. Clauses ``regex.references``,
``regex.calls``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import FrozenSet, List, Mapping, Tuple

from ..errors import PatternError
from ..unicode.ranges import NOTHING
from .nodes import BackReference, Call, Capture, Chars, Look, Node, Repeat, children, with_children

_NOWHERE = 1 << 30


def wanted_groups(node: Node) -> FrozenSet[int]:
    """The numbers of the groups that some reference names."""
    own = frozenset((node.number,)) if isinstance(node, BackReference) else frozenset()
    return own.union(*(wanted_groups(part) for part in children(node)))


def captured(node: Node) -> List[int]:
    """The numbers of all groups, as often as they occur."""
    own = [node.number] if isinstance(node, Capture) else []
    return own + [found for part in children(node) for found in captured(part)]


def without_lost(node: Node) -> Node:
    """A reference to a group that is no part of the pattern any more never matches."""
    return _without_lost(node, frozenset(captured(node)))


def _without_lost(node: Node, known: FrozenSet[int]) -> Node:
    if isinstance(node, BackReference) and node.number not in known:
        return Chars(NOTHING)
    return with_children(node, tuple(_without_lost(part, known) for part in children(node)))


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


def inlined(node: Node, pattern: str, groups: Mapping[int, Capture], names: Mapping[str, List[int]]) -> Node:
    r"""Every call with the group that it calls in its place; a group that calls itself is refused."""
    found = _inlined(node, _Calls(pattern, groups, names), ())
    counted = captured(found)
    if any(counted.count(number) > 1 for number in wanted_groups(found)):
        reason = "a call of a group that is referred to"
        raise PatternError(reason, pattern=pattern, position=_first_call(node), refused=True)
    return found


def _first_call(node: Node) -> int:
    if isinstance(node, Call):
        return node.at
    return min((_first_call(part) for part in children(node)), default=_NOWHERE)


@dataclass(frozen=True)
class _Calls:
    pattern: str
    groups: Mapping[int, Capture]
    names: Mapping[str, List[int]]

    def called(self, call: Call) -> Capture:
        numbers = self.names.get(call.target, []) if isinstance(call.target, str) else [call.target]
        if len(numbers) != 1 or numbers[0] not in self.groups:
            raise PatternError(
                f"there is not one group {call.target!r}", pattern=self.pattern, position=call.at
            )
        return self.groups[numbers[0]]


def _inlined(node: Node, calls: _Calls, opened: Tuple[int, ...], *, behind: bool = False) -> Node:
    if isinstance(node, Call):
        group = calls.called(node)
        if group.number in opened or behind:
            reason = "a call in a look-behind" if behind else "a group that calls itself"
            raise PatternError(reason, pattern=calls.pattern, position=node.at, refused=True)
        return _inlined(group, calls, opened)
    if isinstance(node, Capture):
        opened = (*opened, node.number)
    behind = behind or (isinstance(node, Look) and node.behind)
    return with_children(node, tuple(_inlined(part, calls, opened, behind=behind) for part in children(node)))
