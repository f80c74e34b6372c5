"""Quantifiers: how each is spelled and what a stack of them means. Clauses ``regex.repeat.*``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional, Tuple

from .nodes import (
    EMPTY,
    GREEDY,
    LAZY,
    POSSESSIVE,
    Alternatives,
    Anchor,
    Atomic,
    Look,
    Node,
    Repeat,
)
from .source import Source

MOST = 100_000
_INTERVAL = re.compile(r"\{(?:([0-9]+)(?:(,)([0-9]*))?|(,)([0-9]+))\}")
_PLAIN = {"*": (0, None), "+": (1, None), "?": (0, 1)}


# What a plain quantifier directly on another one becomes: rows the inner, columns the outer one, in the
# order ? * + ?? *? +?. Both together are one quantifier again, or "Q", (?:x+?)?, or "P", (?:x+)??.
_ORDER = (
    (0, 1, GREEDY),
    (0, None, GREEDY),
    (1, None, GREEDY),
    (0, 1, LAZY),
    (0, None, LAZY),
    (1, None, LAZY),
)
_STACKED = (
    "? * * ?? *? Q",
    "* * * P P *",
    "* * + P P +",
    "?? *? *? ?? *? *?",
    "*? *? *? *? *? *?",
    "Q * + *? *? +?",
)
_PAIRS = {"Q": (LAZY, GREEDY), "P": (GREEDY, LAZY)}
_SINGLE = dict(zip(("?", "*", "+", "??", "*?", "+?"), _ORDER))


@dataclass(frozen=True)
class Quantifier:
    low: int
    high: Optional[int]
    mode: str


def read_quantifier(source: Source) -> Optional[Quantifier]:
    """The quantifier that comes next, or None; ``{`` that begins no interval is a character."""
    plain = _PLAIN.get(source.peek())
    if plain is not None:
        source.take()
        mode = LAZY if source.skip("?") else POSSESSIVE if source.skip("+") else GREEDY
        return Quantifier(*plain, mode)
    return _read_interval(source) if source.peek() == "{" else None


def _read_interval(source: Source) -> Optional[Quantifier]:
    start = source.at
    match = _INTERVAL.match(source.text, start)
    if match is None:
        return None
    first, comma, last, _, most = match.groups()
    low = int(first or 0)
    high = int(most) if most else low if not comma else int(last) if last else None
    if low > MOST or (high or 0) > MOST:
        raise source.invalid(f"a repeat count is at most {MOST}", start)
    source.at = match.end()
    if high is not None and low > high:
        if source.peek() == "?":
            raise source.refused("a reversed interval with '?'", start)
        return Quantifier(high, low, POSSESSIVE)
    if not comma and first:
        return Quantifier(low, high, GREEDY)  # a `?` behind it is a quantifier of its own, not "lazy"
    return Quantifier(low, high, LAZY if source.skip("?") else GREEDY)


def repeated(source: Source, body: Node, quantifier: Quantifier, at: int) -> Node:
    """`body` under a quantifier that stands at `at`."""
    if is_assertion(body):
        raise source.invalid("an assertion cannot be repeated", at)
    if body == EMPTY:
        return EMPTY
    low, high = quantifier.low, quantifier.high
    if quantifier.mode == POSSESSIVE:
        return Atomic(repeated(source, body, Quantifier(low, high, GREEDY), at))
    if (low, high) == (1, 1):
        return body
    return stacked(body, Repeat(body, low, high, quantifier.mode, at))


def stacked(inner: Node, outer: Repeat) -> Repeat:
    """Two plain quantifiers as one, which cannot repeat an empty match."""
    kinds = [_ORDER.index(kind) if kind in _ORDER else None for kind in (_kind(inner), _kind(outer))]
    if not isinstance(inner, Repeat) or kinds[0] is None or kinds[1] is None:
        return outer
    merged = _STACKED[kinds[0]].split()[kinds[1]]
    if merged in _PAIRS:
        inside, outside = _PAIRS[merged]
        return Repeat(Repeat(inner.body, 1, None, inside, outer.at), 0, 1, outside, outer.at)
    return Repeat(inner.body, *_SINGLE[merged], at=outer.at)


def _kind(node: Node) -> Optional[Tuple[int, Optional[int], str]]:
    return (node.low, node.high, node.mode) if isinstance(node, Repeat) else None


def is_assertion(node: Node) -> bool:
    """A bare assertion, or a choice where one of the options is one."""
    if isinstance(node, Alternatives):
        return any(is_assertion(option) for option in node.options)
    return isinstance(node, (Anchor, Look))
