"""How much a template may do: steps, time, and the size of what it makes (``chat.limits``)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator

from .errors import LimitError

CLOCK_EVERY = 256  # steps between two looks at the clock


@dataclass(frozen=True)
class Limits:
    """Upper bounds of one rendering.

    Attributes:
        seconds: of wall time.
        steps: loop iterations and calls.
        characters: of any text, and of the result; items of a list count like characters.
        nodes: of a value that is made of lists within lists, each one counted wherever it stands.
    """

    seconds: float = 10.0
    steps: int = 5_000_000
    characters: int = 32_000_000
    nodes: int = 1_000_000


@dataclass
class Budget:
    """What is left of the limits while one template runs."""

    limits: Limits
    steps: int = 0
    started: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """One more iteration or call. Raises LimitError."""
        self.steps += 1
        if not self.steps % CLOCK_EVERY:
            self._look()

    def _look(self) -> None:
        if self.steps > self.limits.steps:
            raise LimitError(f"more than {self.limits.steps:,} loop iterations and calls")
        if time.monotonic() - self.started > self.limits.seconds:
            raise LimitError(f"longer than {self.limits.seconds:g} seconds")

    def counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """The items, each as one step."""
        for item in items:
            self.steps += 1
            if not self.steps % CLOCK_EVERY:
                self._look()
            yield item

    def allow(self, size: int) -> None:
        """Raises LimitError where a text or list of this size must not be made."""
        if size > self.limits.characters:
            raise LimitError(f"a text or list of {size:,} elements; the most are {self.limits.characters:,}")

    def allow_nodes(self, value: Any) -> None:
        """Raises LimitError for lists within lists that name the same parts very often."""
        left, waiting = self.limits.nodes, [value]
        while waiting:
            items = waiting.pop()
            left -= len(items)
            if left < 0:
                raise LimitError(f"lists within lists of more than {self.limits.nodes:,} elements")
            inner = items.values() if isinstance(items, dict) else items
            waiting += [item for item in inner if isinstance(item, (list, tuple, dict))]
