"""The way from a pattern's text to a `Pattern`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import FrozenSet, Tuple

from ..errors import PatternError
from ..unicode.ranges import EVERYTHING
from .alphabet import Alphabet, classed, direct
from .emit import Emitter, needed_sets
from .lower import Lowering, without_needless_atoms
from .nodes import Anchor, BackReference, Literal, Node, children
from .parse import parse
from .pattern import Pattern
from .widths import always_consumed, width

_FEW_RANGES = 40
_CACHED_PATTERNS = 128


@lru_cache(maxsize=_CACHED_PATTERNS)
def compile_pattern(source: str) -> Pattern:
    """The pattern as the oracle reads it (Oniguruma, clause ``regex.syntax``).

    Raises:
        PatternError: the oracle rejects it, or (`refused`) no exact translation exists.
    """
    parsed = parse(source)
    wanted = frozenset(node.number for node in _all(parsed.node) if isinstance(node, BackReference))
    node = without_needless_atoms(Lowering(source, wanted).lower(parsed.node))
    kinds = {found.kind for found in _all(node) if isinstance(found, Anchor)}
    if kinds & {"G", "y", "Y", "K"}:
        raise PatternError("not yet", pattern=source, position=0, refused=True)
    return _finished(source, node, wanted, kinds)


def _finished(source: str, node: Node, wanted: FrozenSet[int], kinds: FrozenSet[str] | set[str]) -> Pattern:
    sets = needed_sets(node)
    alphabet = direct(sets) if wanted or sum(map(len, sets)) < _FEW_RANGES else classed(sets)
    emitter = Emitter(alphabet)
    body = emitter.emit(node)
    nullable = width(node)[0] == 0
    cutter = None
    if not nullable and not emitter.opened and not emitter.atomics:
        cutter = re.compile(f"({body})")
    finder = re.compile(body)
    return Pattern(source, nullable, cutter is not None and always_consumed(node) == EVERYTHING, alphabet, finder, cutter)


def _all(node: Node) -> Tuple[Node, ...]:
    return (node, *(found for part in children(node) for found in _all(part)))


@lru_cache(maxsize=_CACHED_PATTERNS)
def compile_literal(text: str) -> Pattern:
    """A pattern that is a plain text (the oracle escapes it first)."""
    node = Lowering(text, frozenset()).lower(Literal(text))
    return _finished(text, node, frozenset(), set())
