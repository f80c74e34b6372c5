r"""Where the oracle's search looks at all. Clause ``regex.search.shortcut``.

A pattern that begins with a greedy dot without bound, like ``.*b``, need not be tried at every character:
what fails at one fails at the next on the same line. Oniguruma goes on to the next line, or gives up,
and does so when an assertion stands before the dot, too, where that reasoning does not hold.
"""

from __future__ import annotations

from typing import FrozenSet, List, NamedTuple, Optional, Tuple

from ..errors import PatternError
from ..unicode.ranges import EVERYTHING
from .nodes import (
    GREEDY,
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
    children,
)
from .widths import width

EVERYWHERE, LINES, START, ONLY = "everywhere", "lines", "start", "only"
"""Where matches may begin. LINES: at the search's start and behind line ends. START: at its start and one
character on (a slip of the oracle). ONLY: at its start."""
_ASCII = 0x80


class _Front(NamedTuple):
    """What a pattern begins with: a dot that stops at line ends (LINES) or not (START), and its guards.

    `at` is the position of the dot's quantifier.
    """

    places: FrozenSet[str]
    guards: Tuple[Node, ...]
    at: int = 0


_NONE = _Front(frozenset(), ())


def tried(node: Node, pattern: str, wanted: FrozenSet[int]) -> str:
    """Where the oracle tries a pattern. `wanted`: the groups that are referred to.

    Raises:
        PatternError: refused, as it is not known what the oracle's search looks for.
    """
    front = _front(node, wanted)
    looks = [guard for guard in front.guards if isinstance(guard, Look)]
    if not front.places or not front.guards or any(look.behind and not look.negative for look in looks):
        return EVERYWHERE
    ahead = _any_known([look.body for look in looks if not (look.behind or look.negative)])
    behind = _is_known(node, front.guards)
    found = _of_text(ahead, behind) if START in front.places else _of_lines(ahead, behind, node, looks)
    if found is None:
        reason = "an assertion before a greedy dot, and what the oracle's search then looks for is not known"
        raise PatternError(reason, pattern=pattern, position=front.at, refused=True)
    return found


def _of_text(ahead: Optional[bool], behind: Optional[bool]) -> Optional[str]:
    if ahead is False:
        return START
    return ONLY if ahead and behind is False else None


def _of_lines(ahead: Optional[bool], behind: Optional[bool], node: Node, looks: List[Look]) -> Optional[str]:
    if behind is False or any(look.negative and not look.behind for look in looks):
        return EVERYWHERE
    return LINES if behind and ahead is False and not _denies(node) else None


def _front(node: Node, wanted: FrozenSet[int]) -> _Front:
    if isinstance(node, Repeat):
        return _of_repeat(node, wanted)
    if isinstance(node, Sequence):
        return _of_sequence(node, wanted)
    if isinstance(node, Alternatives):
        fronts = [_front(option, wanted) for option in node.options]
        guards = tuple(guard for front in fronts for guard in front.guards)
        return _Front(frozenset.intersection(*(front.places for front in fronts)), guards, fronts[0].at)
    if isinstance(node, Capture) and node.number in wanted:
        return _NONE
    if isinstance(node, (Capture, Atomic, Enclosed)):
        return _front(node.body, wanted)
    return _NONE


def _of_repeat(node: Repeat, wanted: FrozenSet[int]) -> _Front:
    body = node.body
    if isinstance(body, Chars) and body.dot and node.high is None and node.mode == GREEDY:
        return _Front(frozenset((START if body.ranges == EVERYTHING else LINES,)), (), node.at)
    return _front(body, wanted) if node.low else _NONE


def _of_sequence(node: Sequence, wanted: FrozenSet[int]) -> _Front:
    guards: List[Node] = []
    for item in node.items:
        if isinstance(item, Look) or (isinstance(item, Anchor) and item.kind not in "GK"):
            guards.append(item)
            continue
        found = _front(item, wanted)
        if found.places:
            return _Front(found.places, (*guards, *found.guards), found.at)
        if width(item)[1] != 0:
            return _NONE
    return _NONE


def _any_known(nodes: List[Node], without: Tuple[Node, ...] = ()) -> Optional[bool]:
    found = [_is_known(node, without) for node in nodes]
    return True if True in found else None if None in found else False


def _is_known(node: Node, without: Tuple[Node, ...] = ()) -> Optional[bool]:
    """Whether the oracle knows a text or first bytes that a match must hold; None where that is unclear.

    The parts `without` do not count.
    """
    if any(node is part for part in without) or isinstance(node, (Anchor, BackReference)):
        return False
    if isinstance(node, Literal):
        return None if node.fold else bool(node.text)
    if isinstance(node, Chars):
        return all(high < _ASCII for _, high in node.ranges)
    if isinstance(node, Sequence):
        return _any_known(list(node.items), without)
    if isinstance(node, Alternatives):
        found = [_is_known(option, without) for option in node.options]
        plain = all(isinstance(option, (Literal, Chars)) for option in node.options)
        return False if False in found else True if plain and None not in found else None
    if isinstance(node, Repeat) and not node.low:
        return False
    if isinstance(node, Look) and (node.behind or node.negative):
        return False
    return _is_known(children(node)[0], without)


def _denies(node: Node) -> bool:
    """Whether a negative look-ahead is anywhere in it: the oracle then searches in the plain way."""
    own = isinstance(node, Look) and node.negative and not node.behind
    return own or any(map(_denies, children(node)))
