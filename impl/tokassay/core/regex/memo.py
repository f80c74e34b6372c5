"""A matcher that goes no way twice, for patterns on which `re` may take exponential time.

It finds what `re` finds: it goes the same ways in the same order, and knows each choice again by all that
decides what can follow. A choice that comes again has failed before. Clause ``regex.limits``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Callable, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from .nodes import LAZY, Alternatives, Atomic, Look, Node, Repeat, Sequence, children
from .ways import many_ways, ways
from .widths import width

Loops = Tuple[Tuple[int, bool], ...]
"""The repeats around, outermost first: passes begun, and whether this one has consumed nothing yet."""
State = Tuple[int, int, Loops]
"""Number of a step, position in the text, repeats."""
Step = Callable[[str, int, Loops], Tuple[State, ...]]
"""Where to go from here, the first choice first."""
Leaf = Callable[[str, int], Optional[int]]
"""Where a part ends that matches in one way at most; None where it does not."""


class Found(NamedTuple):
    """A match, as `re` has it."""

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
    """A pattern without groups that are referred to; the methods are those of `re.Pattern`."""

    steps: List[Step]
    first: int

    def search(self, text: str, at: int = 0) -> Optional[Found]:
        failed: Set[State] = set()
        ends = ((begin, self.ended(text, begin, failed)) for begin in range(at, len(text) + 1))
        return next((Found(begin, end) for begin, end in ends if end is not None), None)

    def match(self, text: str, at: int = 0) -> Optional[Found]:
        end = self.ended(text, at, set())
        return None if end is None else Found(at, end)

    def finditer(self, text: str) -> Iterator[Found]:
        """Matches of a pattern that cannot match nothing."""
        found = self.search(text)
        while found is not None:
            yield found
            found = self.search(text, found.stop)

    def findall(self, text: str) -> List[str]:
        return [text[found.begin : found.stop] for found in self.finditer(text)]

    def ended(self, text: str, at: int, failed: Set[State]) -> Optional[int]:
        """Where a match that starts here ends. `failed` are choices of this text that lead nowhere."""
        ahead: List[State] = [(self.first, at, ())]
        while ahead:
            state = ahead.pop()
            step, at, loops = state
            if step < 0:
                return at
            following = self.steps[step](text, at, loops)
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
        if not (ways(node) or many_ways(node)):
            return self.added(_taken(_leaf(self.emit(node)), then))
        if isinstance(node, (Atomic, Look)):
            return self.added(_taken(_attempt(node, memo(node.body, self.emit)), then))
        if isinstance(node, Sequence):
            for item in reversed(node.items):
                then = self.build(item, then)
            return then
        if isinstance(node, Alternatives):
            options = [self.build(option, then) for option in node.options]
            return self.added(lambda _, at, loops: tuple((option, at, loops) for option in options))
        return self._repeat(node, then) if isinstance(node, Repeat) else self.build(children(node)[0], then)

    def _repeat(self, node: Repeat, then: int) -> int:
        again = len(self.steps) + 1
        passed = self.added(_passed(node.low, again, then))
        self.added(_nowhere)  # its place, until the body is known
        self.steps[again] = _again(node, self.build(node.body, passed), then)
        return self.added(lambda _, at, loops: ((again, at, (*loops, (0, True))),))


def memo(node: Node, emit: Callable[[Node], str]) -> Memo:
    builder = _Builder(emit)
    return Memo(builder.steps, builder.build(node, _DONE))


def _leaf(pattern: str) -> Leaf:
    match = re.compile(pattern).match

    def ended(text: str, at: int) -> Optional[int]:
        found = match(text, at)
        return None if found is None else found.end()

    return ended


def _attempt(node: Union[Atomic, Look], body: Memo) -> Leaf:
    """An atomic group or a look-around: its body is matched on its own."""
    if isinstance(node, Atomic):
        return lambda text, at: body.ended(text, at, set())
    back, wanted = width(node.body)[0] if node.behind else 0, not node.negative

    def ended(text: str, at: int) -> Optional[int]:
        holds = at >= back and body.ended(text, at - back, set()) is not None
        return at if holds == wanted else None

    return ended


def _taken(leaf: Leaf, then: int) -> Step:
    def step(text: str, at: int, loops: Loops) -> Tuple[State, ...]:
        end = leaf(text, at)
        if end is None:
            return ()
        return ((then, end, loops if end == at else tuple((passes, False) for passes, _ in loops)),)

    return step


def _again(node: Repeat, body: int, then: int) -> Step:
    """Another pass of a repeat, or its end. Passes count as far as they matter."""
    most = node.low if node.high is None else node.high

    def step(_: str, at: int, loops: Loops) -> Tuple[State, ...]:
        outer, passes = loops[:-1], loops[-1][0]
        end = (then, at, outer)
        if passes == node.high:
            return (end,)
        more = (body, at, (*outer, (min(passes + 1, most), True)))
        if passes < node.low:
            return (more,)
        return (end, more) if node.mode == LAZY else (more, end)

    return step


def _passed(low: int, again: int, then: int) -> Step:
    """The end of a pass: one that consumed nothing is the last."""

    def step(_: str, at: int, loops: Loops) -> Tuple[State, ...]:
        passes, empty = loops[-1]
        return ((then, at, loops[:-1]),) if empty and passes >= low else ((again, at, loops),)

    return step


def _nowhere(_text: str, _at: int, _loops: Loops) -> Tuple[State, ...]:
    return ()
