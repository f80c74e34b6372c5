"""One grammar, three sources of choices: a seeded generator, a fuzzer's bytes, Hypothesis.

A generator in this package is a plain function of a `random.Random`. What it draws comes from a seed in the
plain loop; `Decoded` and `Asked` are the same interface over bytes and over Hypothesis's choice sequence, so
that a target is written once.
"""

from __future__ import annotations

import random
from typing import Callable

_FLOAT = 1 << 16  # values of `random()` where choices are asked for one by one


class Asked(random.Random):
    """A generator whose every choice is one call of `below(n)`, which answers 0..n-1; 0 is the simplest."""

    def __init__(self, below: Callable[[int], int]) -> None:
        super().__init__(0)
        self._below = below

    def _randbelow(self, n: int) -> int:  # what choice, randint, sample and shuffle of the base class ask
        return self._below(n) if n > 1 else 0

    def random(self) -> float:
        """In steps of 1/65536, the largest first: probabilities are tested with ``random() < p``."""
        return 1 - (self._below(_FLOAT) + 1) / _FLOAT

    def getrandbits(self, k: int) -> int:
        return self._below(1 << k) if k else 0


class Decoded(Asked):
    """Choices read off bytes, as a number in mixed radix: no bit is thrown away, and no byte is left over.

    Behind the end of the bytes every choice is 0.
    """

    def __init__(self, data: bytes) -> None:
        super().__init__(self._take)
        self._data, self._at = data, 0
        self._value, self._span = 0, 1

    def _take(self, n: int) -> int:
        while self._span < n and self._at < len(self._data):
            self._value = self._value << 8 | self._data[self._at]
            self._span <<= 8
            self._at += 1
        value, self._span = self._value, max(1, self._span // n)
        self._value, found = divmod(value, n)
        return found

    @property
    def spent(self) -> bool:
        """Whether every byte has been read."""
        return self._at == len(self._data)
