"""Quantifiers: how each is spelled and what a stack of them means. Clauses ``regex.repeat.*``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Optional

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


@dataclass(frozen=True)
class Quantifier:
    low: int
    high: Optional[int]
    mode: str
    # ``{n}?`` is no lazy interval but an optional ``{n}``.
    optional: bool = False


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
    lazy = source.skip("?")
    if lazy and first and not comma:
        return Quantifier(low, high, GREEDY, optional=True)
    return Quantifier(low, high, LAZY if lazy else GREEDY)


def repeated(source: Source, body: Node, quantifier: Quantifier, at: int) -> Node:
    """`body` under a quantifier that stands at `at`."""
    if is_assertion(body):
        raise source.invalid("an assertion cannot be repeated", at)
    if body == EMPTY:
        return EMPTY
    if isinstance(body, Repeat) and not _both_intervals(body, quantifier):
        body = _reduced(source, body, quantifier, at)
        return body
    return _wrapped(body, quantifier)


def _wrapped(body: Node, quantifier: Quantifier) -> Node:
    if quantifier.optional:
        return Repeat(Repeat(body, quantifier.low, quantifier.high, GREEDY), 0, 1, GREEDY)
    if quantifier.mode == POSSESSIVE:
        return Atomic(Repeat(body, quantifier.low, quantifier.high, GREEDY))
    return Repeat(body, quantifier.low, quantifier.high, quantifier.mode)


def is_assertion(node: Node) -> bool:
    """A bare assertion, or a choice where one of the options is one."""
    if isinstance(node, Alternatives):
        return any(is_assertion(option) for option in node.options)
    return isinstance(node, (Anchor, Look))


def _both_intervals(inner: Repeat, outer: Quantifier) -> bool:
    return (inner.low, inner.high) not in _PLAIN.values() or (outer.low, outer.high) not in _PLAIN.values()


def _reduced(source: Source, inner: Repeat, outer: Quantifier, at: int) -> Node:
    raise source.refused("stacked quantifiers", at)
