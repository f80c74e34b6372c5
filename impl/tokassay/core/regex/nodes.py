"""The parsed form of a pattern: what each part consumes or asserts, free of any syntax."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional, Tuple, Union

from ..unicode.ranges import Ranges

GREEDY, LAZY, POSSESSIVE = "greedy", "lazy", "possessive"


@dataclass(frozen=True)
class Chars:
    r"""One character out of a set. `dot` marks ``.``, ``\N`` and ``\O`` (clause ``regex.refused.dot``)."""

    ranges: Ranges
    dot: bool = False


@dataclass(frozen=True)
class Literal:
    """A run of characters as written; `fold` under ``(?i)``, where runs may match one for many."""

    text: str
    fold: bool = False


@dataclass(frozen=True)
class Sequence:
    items: Tuple[Node, ...]


@dataclass(frozen=True)
class Alternatives:
    options: Tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """`body` from `low` to `high` times; `high` None has no bound. `at`: of its quantifier."""

    body: Node
    low: int
    high: Optional[int]
    mode: str
    at: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Atomic:
    body: Node


@dataclass(frozen=True)
class Enclosed:
    """A group that is a thing of its own to Oniguruma although it matches as its body does: ``(?i:..)``."""

    body: Node


@dataclass(frozen=True)
class Capture:
    body: Node
    number: int


@dataclass(frozen=True)
class Look:
    body: Node
    behind: bool
    negative: bool
    at: int = field(default=0, compare=False)


@dataclass(frozen=True)
class BackReference:
    """`fold` under ``(?i)``: cases do not count."""

    number: int
    at: int
    fold: bool = False


@dataclass(frozen=True)
class Call:
    r"""``\g<..>``: the group's pattern once more."""

    target: Union[int, str]
    at: int


@dataclass(frozen=True)
class Anchor:
    """`kind` is the escape's letter, ``^`` or ``$``; `narrow` where only ASCII counts as a word."""

    kind: str
    narrow: bool = False


Node = Union[
    Chars,
    Literal,
    Sequence,
    Alternatives,
    Repeat,
    Atomic,
    Enclosed,
    Capture,
    Look,
    BackReference,
    Call,
    Anchor,
]
EMPTY = Sequence(())


def sequence(items: Tuple[Node, ...]) -> Node:
    return items[0] if len(items) == 1 else Sequence(items)


def alternatives(options: Tuple[Node, ...]) -> Node:
    return options[0] if len(options) == 1 else Alternatives(options)


def children(node: Node) -> Tuple[Node, ...]:
    if isinstance(node, Sequence):
        return node.items
    if isinstance(node, Alternatives):
        return node.options
    if isinstance(node, (Repeat, Atomic, Enclosed, Capture, Look)):
        return (node.body,)
    return ()


def with_children(node: Node, parts: Tuple[Node, ...]) -> Node:
    """The same node around other parts."""
    if isinstance(node, Sequence):
        return Sequence(parts)
    if isinstance(node, Alternatives):
        return Alternatives(parts)
    if isinstance(node, Repeat):
        return Repeat(parts[0], node.low, node.high, node.mode, node.at)
    if isinstance(node, Atomic):
        return Atomic(parts[0])
    if isinstance(node, Enclosed):
        return Enclosed(parts[0])
    if isinstance(node, Capture):
        return Capture(parts[0], node.number)
    if isinstance(node, Look):
        return Look(parts[0], node.behind, node.negative, node.at)
    return node
