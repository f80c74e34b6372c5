"""How much a template may do: steps, time, and the size of what it makes (``chat.limits``)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator

from . import guards
from .errors import LimitError

CLOCK_EVERY = 256  # steps between two looks at the clock
SMALL = 4096  # texts up to this size are not summed up


@dataclass(frozen=True)
class Limits:
    """Upper bounds of one rendering.

    Attributes:
        seconds: of wall time.
        steps: loop iterations and calls.
        characters: of any text, of all texts in a list together, and of the result.
        nodes: of a value that is made of lists within lists, each one counted wherever it stands.
        total: characters of all large texts that were made, whether they are still needed or not.
        source: characters of the template.
    """

    seconds: float = 10.0
    steps: int = 5_000_000
    characters: int = 32_000_000
    nodes: int = 1_000_000
    total: int = 1_000_000_000
    source: int = 250_000


@dataclass
class Budget:
    """What is left of the limits while one template runs."""

    limits: Limits
    steps: int = 0
    made: int = 0
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

    def keep(self, value: Any) -> Any:
        """A value that the template made. Raises LimitError where that is too large, or one too many."""
        if isinstance(value, str):
            if len(value) > SMALL:
                self._add(len(value))
        elif isinstance(value, (list, tuple, dict)):
            found = guards.weight(value, self.limits.nodes)
            if found.items > self.limits.nodes:
                raise LimitError(f"lists within lists of more than {self.limits.nodes:,} elements")
            self.allow(found.characters)
        return value

    def _add(self, size: int) -> None:
        self.allow(size)
        self.made += size
        self._look()
        if self.made > self.limits.total:
            raise LimitError(f"texts of more than {self.limits.total:,} characters together")
