"""The way from a pattern's text to a `Pattern`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import List, Optional, Sequence, Tuple

from ..errors import PatternError
from ..unicode.ranges import EVERYTHING, Ranges
from .alphabet import Alphabet, classed, direct, folded
from .emit import Emitter, needed_sets
from .graphemes import mark_inside
from .lower import Lowering, without_needless_atoms
from .memo import memo
from .nodes import Anchor, BackReference, Capture, Chars, Literal, Node, children
from .parse import parse
from .pattern import Finder, Pattern
from .references import resolved, wanted_groups, without_lost
from .shortcut import EVERYWHERE, tried
from .starts import START, check_keep, contains, failing, passing
from .ways import many_ways
from .widths import always_consumed, width

_FEW_RANGES = 40
_CACHED_PATTERNS = 128


@lru_cache(maxsize=_CACHED_PATTERNS)
def compile_pattern(source: str) -> Pattern:
    """The pattern as the oracle reads it (Oniguruma, clause ``regex.syntax``).

    Raises:
        PatternError: the oracle rejects it, or (`refused`) no exact translation exists.
    """
    try:
        return _compiled(source)
    except RecursionError as error:
        reason = "groups are nested too deeply"
        raise PatternError(reason, pattern=source, position=0, refused=True) from error


def _compiled(source: str) -> Pattern:
    parsed = resolved(parse(source), source)
    wanted = wanted_groups(parsed)
    places = tried(parsed, source, wanted)
    node = without_needless_atoms(without_lost(Lowering(source, wanted).lower(parsed)))
    check_keep(node, source)
    if not contains(node, START):
        return _finished(source, node, None, places)
    return _finished(source, failing(node), passing(node, source), places)


def _finished(source: str, node: Node, first: Optional[Node], places: str = EVERYWHERE) -> Pattern:
    """`first`, where given, is what to try at the start of each search; `places` says where it looks."""
    every = (*_all(node), *(_all(first) if first is not None else ()))
    kinds = {one.kind for one in every if isinstance(one, Anchor)}
    marked = bool(kinds & {"y", "Y"})
    alphabet = _alphabet(source, every, marked=marked)
    emitter = Emitter(alphabet, marked)
    keeps = "K" in kinds
    finder = _finder(node, emitter)
    nullable = min(width(one)[0] for one in (node, first or node)) == 0
    plain = not (nullable or keeps or emitter.named)
    simple = plain and first is None and places == EVERYWHERE
    return Pattern(
        source,
        nullable=nullable,
        gapless=simple and always_consumed(node) == EVERYTHING,
        alphabet=alphabet,
        finder=finder,
        cutter=re.compile(f"({finder.pattern})") if simple and isinstance(finder, re.Pattern) else None,
        anchored=None if first is None else _finder(first, Emitter(alphabet, marked)),
        keeps=keeps,
        mark=mark_inside if marked else None,
        places=places,
    )


def _finder(node: Node, emitter: Emitter) -> Finder:
    """`re`, unless that may take for ever."""
    body = emitter.emit(node)
    return memo(node, emitter.emit) if many_ways(node) else re.compile(body)


def _alphabet(source: str, every: Sequence[Node], *, marked: bool) -> Alphabet:
    sets = needed_sets(every)
    references = [one for one in every if isinstance(one, BackReference)]
    if references and marked:
        reason = "back-references beside grapheme clusters"
        raise PatternError(reason, pattern=source, position=references[0].at, refused=True)
    folding = [reference for reference in references if reference.fold]
    if folding:
        found = folded(sets, _captured(every, references)) if folding == references else None
        if found is None:
            reason = "a back-reference under (?i) where cases are told apart, or differ in bytes"
            raise PatternError(reason, pattern=source, position=folding[0].at, refused=True)
        return found
    if references or (not marked and sum(map(len, sets)) < _FEW_RANGES):
        return direct(sets)
    return classed(sets)


def _captured(nodes: Sequence[Node], references: List[BackReference]) -> List[Ranges]:
    """The sets in groups that are referred to."""
    numbers = {reference.number for reference in references}
    groups = [one for one in nodes if isinstance(one, Capture) and one.number in numbers]
    return [one.ranges for group in groups for one in _all(group) if isinstance(one, Chars)]


def _all(node: Node) -> Tuple[Node, ...]:
    return (node, *(found for part in children(node) for found in _all(part)))


@lru_cache(maxsize=_CACHED_PATTERNS)
def compile_literal(text: str) -> Pattern:
    """A pattern that is a plain text (the oracle escapes it first)."""
    return _finished(text, Lowering(text, frozenset()).lower(Literal(text)), None)
