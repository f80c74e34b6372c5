"""A bounded memory for a pure function of a string, whose hits stay in C."""

from __future__ import annotations

from typing import Callable, Dict, List

LONGEST_KEY = 1024
MOST_ENTRIES = 1 << 16
MOST_CHARACTERS = 1 << 21


class Memo(Dict[str, List[int]]):
    """``memo[key]`` is ``function(key)``; ``map(memo.__getitem__, keys)`` runs no Python on a hit.

    Bounded: keys above `longest` characters are not kept, and the memory is emptied when it holds
    `most` entries, or `MOST_CHARACTERS` in all keys (on natural text that loses little against
    dropping the oldest: what is frequent is back at once). Threads may compute a key twice; all of them get equal answers. Callers must
    not change the lists.
    """

    def __init__(
        self, function: Callable[[str], List[int]], longest: int = LONGEST_KEY, most: int = MOST_ENTRIES
    ) -> None:
        super().__init__()
        self.function, self.longest, self.most = function, longest, most
        self.characters = 0

    def __missing__(self, key: str) -> List[int]:
        value = self.function(key)
        if len(key) <= self.longest:
            if len(self) >= self.most or self.characters >= MOST_CHARACTERS:
                self.clear()
                self.characters = 0
            self.characters += len(key)
            self[key] = value
        return value
