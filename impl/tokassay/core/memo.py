"""A bounded memory for a pure function of a string, whose hits stay in C."""

from __future__ import annotations

from typing import Callable, Dict, TypeVar
from weakref import WeakMethod

V = TypeVar("V")
K = TypeVar("K")
LONGEST_KEY = 1024
MOST_ENTRIES = 1 << 17
MOST_CHARACTERS = 1 << 22


class Memo(Dict[str, V]):
    """``memo[key]`` is ``function(key)``; ``map(memo.__getitem__, keys)`` runs no Python on a hit.

    Bounded: keys above `longest` characters are not kept, and the memory is emptied when it holds
    `most` entries, or `MOST_CHARACTERS` in all keys (on natural text that loses little against
    dropping the oldest: what is frequent is back at once). Threads may compute a key twice; all of
    them get equal answers.
    """

    __slots__ = ("function", "longest", "most", "room")

    def __init__(
        self,
        function: Callable[[str], V],
        longest: int = LONGEST_KEY,
        most: int = MOST_ENTRIES,
    ) -> None:
        super().__init__()
        self.function, self.longest, self.most = function, longest, most
        self.room = MOST_CHARACTERS  # in characters

    def __missing__(self, key: str) -> V:
        value = self.function(key)
        size = len(key)
        if size <= self.longest:
            self.room -= size
            if self.room < 0 or len(self) >= self.most:
                self.clear()
                self.room -= size
            self[key] = value
        return value

    def clear(self) -> None:
        super().clear()
        self.room = MOST_CHARACTERS


def loosely(method: Callable[[K], V]) -> Callable[[K], V]:
    """A method for a memory that its own object holds.

    With the bound method the two would hold each other, and a tokenizer that nobody uses would keep its
    tables until the collector looks for cycles, which half a gigabyte of strings does not make it do.
    """
    held = WeakMethod(method)

    def call(key: K) -> V:
        found = held()
        assert found is not None  # whoever asks the memory holds its owner
        return found(key)

    return call
