"""Many cases at once, where a target can: one side answers all of them, then the other.

Two tokenizers that take turns at every text drive each other's tables out of the processor's caches; with a
hundred texts a turn they do not (`docs/fuzzing.md`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Callable, Dict, Iterable, List, Optional, Protocol, Sequence, Tuple, runtime_checkable

from tokassay.checks.engine import UnavailableError

from .sides import Ids, Sides
from .target import Case, Found

MOST = 256
SECONDS = 0.1  # what a batch may take: a slow engine gets smaller ones
At = Callable[[int], object]
"""Told the number of the case that is being asked: it is the culprit where the process dies."""
Question = Tuple[int, str, bool]
"""Number of the case, its text, whether with special tokens."""


@runtime_checkable
class Batched(Protocol):
    """A target that checks many cases in less time than one by one."""

    def check_all(self, cases: Sequence[Case], at: At) -> List[Optional[Found]]:
        """`Target.check` of each; nothing is asked twice, for engines may answer anew."""
        ...


def next_size(size: int, seconds: float) -> int:
    """How many cases the next batch has, after one of `size` that took so long."""
    return min(MOST, size * 2) if seconds < SECONDS / 2 else max(1, size // 2) if seconds > SECONDS else size


def by_tokenizer(cases: Sequence[Case]) -> Dict[str, List[Question]]:
    """The cases of each file; not those of which every column is to be compared."""
    found: Dict[str, List[Question]] = defaultdict(list)
    for number, case in enumerate(cases):
        if not case.get("whole", True):
            found[case["tokenizer"]].append((number, case["text"], case["special"]))
    return found


def compared_ids(
    sides: Sides, questions: Sequence[Question], at: At
) -> Iterable[Tuple[int, Optional[Found]]]:
    """The number of each question, and how the ids of the two sides differ."""
    special = sides.both_special
    asked = [(number, text, wanted and special) for number, text, wanted in questions]
    expected, got = (answers(ask, asked, at) for ask in (sides.witness_ids, sides.engine_ids))
    for (number, _, _), left, right in zip(questions, expected, got):
        yield number, None if left == right else _difference(sides, left, right)


def answers(ask: Ids, questions: Sequence[Question], at: At) -> List[Any]:
    """The ids of each question, or the exception that came instead."""
    found: List[Any] = []
    for number, text, special in questions:
        at(number)
        try:
            found.append(ask(text, special))
        except (KeyboardInterrupt, SystemExit, MemoryError, UnavailableError):
            raise
        except BaseException as error:  # noqa: BLE001 - PanicException derives from BaseException
            found.append(error)
    return found


def _difference(sides: Sides, left: Any, right: Any) -> Optional[Found]:
    def once_more(side: Any) -> List[Any]:
        answer = left if side is sides.witness else right
        if isinstance(answer, BaseException):
            raise answer
        return [list(answer)]

    return sides.asked(once_more, ("ids",), ("ids",))
