"""A matcher that goes no way twice, for patterns on which `re` may take exponential time.

It finds what `re` finds: it goes the same ways in the same order, and knows each choice again by all that
decides what can follow. A choice that comes again has failed before. Clause ``regex.limits``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Callable, FrozenSet, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from .nodes import (
    LAZY,
    Alternatives,
    Anchor,
    Atomic,
    BackReference,
    Capture,
    Chars,
    Look,
    Node,
    Repeat,
    Sequence,
    children,
)
from .ways import many_ways, ways
from .widths import width

Loops = Tuple[Tuple[int, bool], ...]
"""The repeats around, outermost first: passes begun, and whether this one has consumed nothing yet."""
Groups = FrozenSet[Tuple[int, int, int]]
"""Number, start and end of the groups that are set; the number is negative while one is open."""
_KEEP = Anchor("K")
_KEPT = 0


class State(NamedTuple):
    """`step` is the number of the next step."""

    step: int
    at: int
    loops: Loops = ()
    groups: Groups = frozenset()

    def consumed(self, step: int, end: int) -> State:
        """The state behind something that ends at `end`."""
        loops = self.loops if end == self.at else tuple((passes, False) for passes, _ in self.loops)
        return State(step, end, loops, self.groups)

    def group(self, number: int) -> Optional[Tuple[int, int]]:
        return next(((start, end) for known, start, end in self.groups if known == number), None)

    def marked(self, step: int, number: int, start: int, end: int) -> State:
        others = frozenset(group for group in self.groups if abs(group[0]) != abs(number))
        return State(step, self.at, self.loops, others | {(number, start, end)})


Step = Callable[[str, State], Tuple[State, ...]]
"""Where to go from a state, the first choice first."""


class Found(NamedTuple):
    r"""A match, as `re` has it; it begins behind a ``\K``."""

    begin: int
    stop: int

    def span(self) -> Tuple[int, int]:
        return self.begin, self.stop

    def start(self) -> int:
        return self.begin

    def end(self) -> int:
        return self.stop


@dataclass(frozen=True)
class Memo:
    """A pattern as steps; the methods are those of `re.Pattern`. `needed`: sets that each match meets."""

    steps: List[Step]
    first: int
    needed: Tuple[re.Pattern[str], ...] = ()

    def search(self, text: str, at: int = 0) -> Optional[Found]:
        if not all(one.search(text, at) for one in self.needed):
            return None
        failed: Set[State] = set()
        found = (self._found(text, begin, failed) for begin in range(at, len(text) + 1))
        return next((match for match in found if match is not None), None)

    def match(self, text: str, at: int = 0) -> Optional[Found]:
        return self._found(text, at, set())

    def finditer(self, text: str) -> Iterator[Found]:
        """Matches of a pattern that cannot match nothing."""
        found = self.search(text)
        while found is not None:
            yield found
            found = self.search(text, found.stop)

    def findall(self, text: str) -> List[str]:
        return [text[found.begin : found.stop] for found in self.finditer(text)]

    def _found(self, text: str, at: int, failed: Set[State]) -> Optional[Found]:
        last = self.last(text, State(self.first, at), failed)
        if last is None:
            return None
        kept = last.group(_KEPT)
        return Found(kept[0] if kept else at, last.at)

    def last(self, text: str, start: State, failed: Set[State]) -> Optional[State]:
        """The state behind a match from `start`. `failed` are choices on this text that lead nowhere."""
        ahead = [start]
        while ahead:
            state = ahead.pop()
            if state.step < 0:
                return state
            following = self.steps[state.step](text, state)
            if len(following) > 1:
                if state in failed:
                    continue
                failed.add(state)
            ahead += reversed(following)
        return None


_DONE = -1


@dataclass
class _Builder:
    """Steps from the end of a pattern to its start; `emit` writes a node for `re`."""

    emit: Callable[[Node], str]
    steps: List[Step] = field(default_factory=list)

    def added(self, step: Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    def build(self, node: Node, then: int) -> int:
        """The number of the first step of `node`; `then` follows it."""
        if not (ways(node) or many_ways(node) or _remembers(node)):
            return self.added(_taken(self.emit(node), then))
        if isinstance(node, (Atomic, Look)):
            return self.added(_attempt(node, memo(node.body, self.emit), then))
        if isinstance(node, Sequence):
            for item in reversed(node.items):
                then = self.build(item, then)
            return then
        if isinstance(node, Alternatives):
            options = [self.build(option, then) for option in node.options]
            return self.added(lambda _, state: tuple(state._replace(step=option) for option in options))
        if isinstance(node, Repeat):
            return self._repeat(node, then)
        return self._marking(node, then)

    def _marking(self, node: Node, then: int) -> int:
        r"""Groups, references and ``\K``."""
        if isinstance(node, BackReference):
            return self.added(_referred(node.number, then))
        if isinstance(node, Anchor):
            return self.added(lambda _, state: (state.marked(then, _KEPT, state.at, state.at),))
        if not isinstance(node, Capture):
            return self.build(children(node)[0], then)
        number = node.number
        body = self.build(node.body, self.added(_closed(number, then)))
        return self.added(lambda _, state: (state.marked(body, -number, state.at, -1),))

    def _repeat(self, node: Repeat, then: int) -> int:
        again = len(self.steps) + 1
        passed = self.added(_passed(again, then))
        self.added(_nowhere)  # its place, until the body is known
        self.steps[again] = _again(node, self.build(node.body, passed), then)
        return self.added(lambda _, state: (state._replace(step=again, loops=(*state.loops, (0, True))),))


def memo(node: Node, emit: Callable[[Node], str]) -> Memo:
    builder = _Builder(emit)
    items = node.items if isinstance(node, Sequence) else ()
    needed = tuple(re.compile(emit(item)) for item in items if isinstance(item, Chars))
    return Memo(builder.steps, builder.build(node, _DONE), needed)


def _remembers(node: Node) -> bool:
    """Whether more than its end matters of what it matched."""
    own = isinstance(node, (Capture, BackReference)) or node == _KEEP
    return own or any(map(_remembers, children(node)))


def _taken(pattern: str, then: int) -> Step:
    """A part that matches in one way at most."""
    match = re.compile(pattern).match

    def step(text: str, state: State) -> Tuple[State, ...]:
        found = match(text, state.at)
        return () if found is None else (state.consumed(then, found.end()),)

    return step


def _attempt(node: Union[Atomic, Look], body: Memo, then: int) -> Step:
    """An atomic group or a look-around: its body is matched on its own."""
    looks = isinstance(node, Look)
    back = width(node.body)[0] if isinstance(node, Look) and node.behind else 0
    wanted = not (isinstance(node, Look) and node.negative)

    def step(text: str, state: State) -> Tuple[State, ...]:
        start = State(body.first, state.at - back, (), state.groups)
        last = body.last(text, start, set()) if start.at >= 0 else None
        if (last is not None) != wanted:
            return ()
        if last is None:
            return (state._replace(step=then),)
        return (state.consumed(then, state.at if looks else last.at)._replace(groups=last.groups),)

    return step


def _closed(number: int, then: int) -> Step:
    def step(_: str, state: State) -> Tuple[State, ...]:
        opened = state.group(-number)
        return () if opened is None else (state.marked(then, number, opened[0], state.at),)

    return step


def _referred(number: int, then: int) -> Step:
    def step(text: str, state: State) -> Tuple[State, ...]:
        group = state.group(number)
        if group is None or not text.startswith(text[group[0] : group[1]], state.at):
            return ()
        return (state.consumed(then, state.at + group[1] - group[0]),)

    return step


def _again(node: Repeat, body: int, then: int) -> Step:
    """Another pass of a repeat, or its end. Passes count as far as they matter."""
    most = node.low if node.high is None else node.high

    def step(_: str, state: State) -> Tuple[State, ...]:
        outer, passes = state.loops[:-1], state.loops[-1][0]
        end = state._replace(step=then, loops=outer)
        if passes == node.high:
            return (end,)
        more = state._replace(step=body, loops=(*outer, (min(passes + 1, most), True)))
        if passes < node.low:
            return (more,)
        return (end, more) if node.mode == LAZY else (more, end)

    return step


def _passed(again: int, then: int) -> Step:
    """The end of a pass: one that consumed nothing is the last, also for the passes that are still due."""

    def step(_: str, state: State) -> Tuple[State, ...]:
        if state.loops[-1][1]:
            return (state._replace(step=then, loops=state.loops[:-1]),)
        return (state._replace(step=again),)

    return step


def _nowhere(_text: str, _state: State) -> Tuple[State, ...]:
    return ()
