"""Make what fails small: greedy delta debugging on the characters of a text, or the items of a list."""

from __future__ import annotations

from typing import Any, Callable, Generic, Sequence, Tuple, TypeVar

Items = TypeVar("Items", bound=Sequence[object])
MOST_TRIES = 4000


def forever() -> bool:
    """There is always time."""
    return True


def shrink(
    items: Items,
    fails: Callable[[Items], bool],
    tries: int = MOST_TRIES,
    in_time: Callable[[], bool] = forever,
) -> Items:
    """What still fails and of which no single item can be dropped (unless tries or time ran out).

    `fails` has to be true for `items` itself; it is asked at most `tries` times, and never twice about the
    same. Chunks are dropped from the largest to the smallest, and the whole is repeated until a round of
    single items drops nothing.
    """
    asked = _Asked(fails, tries, in_time)
    size = max(1, len(items) // 2)
    while asked.more():
        shorter = _without_chunks(items, size, asked)
        if size == 1 and len(shorter) == len(items):
            break
        items, size = shorter, max(1, min(size // 2, len(shorter) // 2))
    return items


class _Asked(Generic[Items]):
    """Answers remembered, questions counted."""

    def __init__(self, fails: Callable[[Items], bool], tries: int, in_time: Callable[[], bool]) -> None:
        self.fails, self.tries, self.in_time = fails, tries, in_time
        self.passed: set[Tuple[object, ...]] = set()

    def more(self) -> bool:
        return self.tries > 0 and self.in_time()

    def __call__(self, candidate: Items) -> bool:
        key = tuple(candidate)
        if key in self.passed:
            return False
        self.tries -= 1
        if self.fails(candidate):
            return True
        self.passed.add(key)
        return False


def _without_chunks(items: Items, size: int, fails: _Asked[Items]) -> Items:
    start = 0
    while start < len(items) and fails.more():
        candidate: Any = items[:start] + items[start + size :]  # type: ignore[operator]
        if fails(candidate):
            items = candidate
        else:
            start += size
    return items
