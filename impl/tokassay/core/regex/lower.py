"""From what was written to what Python's `re` can say exactly: literals to sets, anchors checked.

Every step either keeps the meaning or refuses. Clauses ``regex.refused.*``, ``regex.lookbehind.*``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

from ..errors import PatternError
from ..unicode.ranges import intersection, union
from .fold import fold_run, fold_single
from .nodes import (
    EMPTY,
    GREEDY,
    LAZY,
    Alternatives,
    Anchor,
    Atomic,
    BackReference,
    Capture,
    Chars,
    Enclosed,
    Literal,
    Look,
    Node,
    Repeat,
    Sequence,
    alternatives,
    children,
    sequence,
    with_children,
)
from .quantifiers import stacked
from .references import captured
from .widths import first_of, width

_MOST_ALTERNATIVES = 200


@dataclass(frozen=True)
class Lowering:
    """One pattern on its way down; `wanted` are the groups that a back-reference names."""

    pattern: str
    wanted: frozenset[int]

    def refused(self, reason: str, at: int) -> PatternError:
        return PatternError(reason, pattern=self.pattern, position=at, refused=True)

    def invalid(self, reason: str, at: int) -> PatternError:
        return PatternError(reason, pattern=self.pattern, position=at)

    def lower(self, node: Node, behind: bool = False) -> Node:
        if isinstance(node, Literal):
            return self._literal(node, behind)
        if isinstance(node, Look) and node.behind:
            return self._look_behind(node)
        if isinstance(node, Repeat):
            return self._repeat(node, behind)
        if isinstance(node, BackReference) and behind:
            raise self.refused("a back-reference in a look-behind", node.at)
        if isinstance(node, Capture) and node.number not in self.wanted:
            return self.lower(node.body, behind)
        parts = tuple(self.lower(part, behind) for part in children(node))
        return _one_of(parts) if isinstance(node, Alternatives) else with_children(node, parts)

    def _literal(self, node: Literal, behind: bool) -> Node:
        if node.fold:
            return fold_single(node.text) if behind else fold_run(node.text)
        return sequence(tuple(Chars(((ord(char), ord(char)),)) for char in node.text))

    def _repeat(self, node: Repeat, behind: bool) -> Node:
        body = self.lower(node.body, behind)
        found = _flat(stacked(body, Repeat(body, node.low, node.high, node.mode, node.at)))
        if found.high in (0, 1) or width(found.body)[0]:
            return found
        if _holds_capture(found.body):
            raise self.refused("a repeated group that can match nothing and is referred to", node.at)
        counted = found.low > 1 or found.high is not None
        if counted and (found.mode == LAZY or not _empty_at_last(found.body)):
            raise self.refused("a counted group that can match nothing, and not only at last", node.at)
        return found

    def _look_behind(self, node: Look) -> Node:
        self._check_look_behind(node.body, node)
        if _vanishes(node.body):
            reason = "nothing but optional parts in a look-behind (the oracle fails to compile it)"
            raise self.invalid(reason, node.at)
        body = _shortest_front(self.lower(node.body, behind=True))
        options = self._fixed(body, node.at)
        if sorted(captured(body)) != sorted(found for option in options for found in captured(option)):
            raise self.refused("a group that is referred to, in a look-behind of several widths", node.at)
        looks: Tuple[Node, ...] = tuple(
            Look(option, behind=True, negative=node.negative) for option in options
        )
        return sequence(looks) if node.negative else alternatives(looks)

    def _check_look_behind(self, node: Node, look: Look) -> None:
        """What the oracle itself rejects behind a ``(?<``."""
        if isinstance(node, Anchor) and node.kind in "zZ":
            raise self.invalid("an end anchor in a look-behind", look.at)
        if isinstance(node, Look) and (not node.behind or (node.negative and not look.negative)):
            raise self.invalid("this kind of look-around in a look-behind", node.at)
        if isinstance(node, Capture) and look.negative:
            raise self.invalid("a capturing group in a negative look-behind", look.at)
        for part in children(node):
            self._check_look_behind(part, look)

    def _fixed(self, node: Node, at: int) -> List[Node]:
        """The node as alternatives that each have one width."""
        least, most = width(node)
        if most is None:
            raise self.refused("a look-behind without a bound", at)
        if isinstance(node, Atomic) and least != most:
            options = _first_that_fits(node.body)
            if options is None:
                raise self.refused("an atomic group of several widths in a look-behind", at)
            return self._fixed(options, at)
        if least == most and not isinstance(node, Atomic):
            return [node]
        if isinstance(node, Alternatives):
            found = [one for option in node.options for one in self._fixed(option, at)]
        elif isinstance(node, Sequence):
            found = self._products(node.items, at)
        elif isinstance(node, Repeat):
            assert node.high is not None
            found = []
            for count in range(node.low, node.high + 1):
                found += self._products((node.body,) * count, at)
                self._check_count(found, at)
        else:
            found = self._fixed(children(node)[0], at)
        self._check_count(found, at)
        return found

    def _products(self, items: Tuple[Node, ...], at: int) -> List[Node]:
        rows: List[Tuple[Node, ...]] = [()]
        for item in items:
            options = self._fixed(item, at)
            rows = [(*row, option) for row in rows for option in options]
            self._check_count(rows, at)
        return [sequence(row) for row in rows]

    def _check_count(self, found: List[object] | List[Node] | List[Tuple[Node, ...]], at: int) -> None:
        if len(found) > _MOST_ALTERNATIVES:
            raise self.refused("a look-behind of too many widths", at)


def _flat(node: Repeat) -> Repeat:
    """`(?:X{1,3})+` as `X+`, which is the same in fewer ways."""
    inner = node.body
    outer = node.low <= 1 and node.high is None and node.mode == GREEDY
    if not (outer and isinstance(inner, Repeat) and inner.low == 1 and inner.mode == GREEDY):
        return node
    return Repeat(inner.body, node.low, None, GREEDY, node.at) if width(inner.body)[0] else node


def _first_that_fits(node: Node) -> Optional[Node]:
    """Options of which one counts only where none before it matches, as an atomic group has it."""
    if not isinstance(node, Alternatives) or any(one != two for one, two in map(width, node.options)):
        return None
    found: List[Node] = []
    for at, option in enumerate(node.options):
        before = tuple(Look(one, behind=False, negative=True) for one in node.options[:at])
        found.append(Sequence((*before, option)))
    return Alternatives(tuple(found))


def _vanishes(node: Node) -> bool:
    """Whether dropping optional parts from the front leaves nothing of several of them."""
    if isinstance(node, Alternatives):
        return any(map(_vanishes, node.options))
    parts = node.items if isinstance(node, Sequence) else ()
    return len(parts) > 1 and all(
        isinstance(part, Repeat) and part.low == 0 and _is_one_thing(part.body) for part in parts
    )


def _is_one_thing(node: Node) -> bool:
    """A set or a text, repeated texts being texts, too."""
    fixed = isinstance(node, Repeat) and node.low == node.high and isinstance(node.body, Literal)
    return fixed or isinstance(node, (Chars, Literal))


def _one_of(options: Tuple[Node, ...]) -> Node:
    """Alternatives; those of single characters are one set, which cannot be tried in two ways."""
    sets = [option.ranges for option in options if isinstance(option, Chars)]
    return Chars(union(*sets)) if len(sets) == len(options) else Alternatives(options)


def _shortest_front(node: Node) -> Node:
    """In a look-behind the first repeat need not reach further back than its least count."""
    if isinstance(node, Alternatives):
        return Alternatives(tuple(map(_shortest_front, node.options)))
    if isinstance(node, Repeat):
        return Repeat(node.body, node.low, node.low, GREEDY, node.at) if node.low else EMPTY
    if not isinstance(node, Sequence) or not node.items:
        return node
    front = _shortest_front(node.items[0])
    rest = Sequence(node.items[1:])
    return _shortest_front(rest) if front == EMPTY else Sequence((front, *rest.items))


def without_needless_atoms(node: Node, rest: Tuple[Node, ...] = (), tail: bool = True) -> Node:
    """Atomic groups become plain where giving back could never lead to a match.

    `rest` follows the node; `tail` says that nothing else does. Plain groups are faster, and the same
    on every Python: atomic ones need 3.11, or a look-ahead with a back-reference.
    """
    if isinstance(node, Atomic):
        body = without_needless_atoms(node.body, (), tail=True)
        return body if _gives_nothing_back(body, rest, tail) else Atomic(body)
    if isinstance(node, Sequence):
        items = node.items
        parts = [
            without_needless_atoms(item, (*items[at + 1 :], *rest), tail) for at, item in enumerate(items)
        ]
        return Sequence(tuple(parts))
    if isinstance(node, (Alternatives, Capture, Enclosed)):
        return with_children(node, tuple(without_needless_atoms(part, rest, tail) for part in children(node)))
    return with_children(node, tuple(without_needless_atoms(part, (), tail=False) for part in children(node)))


def _gives_nothing_back(body: Node, rest: Tuple[Node, ...], tail: bool) -> bool:
    if tail and all(_never_fails(item) for item in rest):
        return True
    # A lazy one would not give back but take more.
    if not (isinstance(body, Repeat) and body.mode == GREEDY and isinstance(body.body, Chars)):
        return False
    following, needed = first_of(rest)
    return needed and not _has_reference(rest) and not intersection(following, body.body.ranges)


def _empty_at_last(node: Node) -> bool:
    """Whether matching nothing is always possible, and the last thing tried."""
    if isinstance(node, Sequence):
        return all(map(_empty_at_last, node.items))
    if isinstance(node, Alternatives):
        return _empty_at_last(node.options[-1]) and all(width(option)[0] for option in node.options[:-1])
    if isinstance(node, Repeat):
        always = node.low == 0 and width(node.body)[0] > 0
        return node.mode == GREEDY and (always or _empty_at_last(node.body))
    return isinstance(node, (Atomic, Capture, Enclosed)) and _empty_at_last(node.body)


def _holds_capture(node: Node) -> bool:
    return isinstance(node, (Capture, BackReference)) or any(map(_holds_capture, children(node)))


def _never_fails(node: Node) -> bool:
    if isinstance(node, (Atomic, Capture, Enclosed)):
        return _never_fails(node.body)
    return isinstance(node, Repeat) and node.low == 0


def _has_reference(items: Tuple[Node, ...]) -> bool:
    return any(isinstance(item, BackReference) or _has_reference(children(item)) for item in items)
