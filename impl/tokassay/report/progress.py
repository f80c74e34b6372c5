"""A line on stderr that says where a run is; only on a terminal."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from typing import IO, Callable, Optional, Tuple

from tokassay.checks.verdict import Verdict
from tokassay.verdicts.events import Event

SECONDS = 0.2  # between two updates within a cell


@dataclass
class Progress:
    """Rewrites one line whenever the engine, tokenizer or suite changes, and now and then in between."""

    out: IO[str]
    clock: Callable[[], float] = time.monotonic
    cell: Optional[Tuple[str, str, str]] = None
    done: int = 0
    failed: int = 0
    started: float = 0.0
    told: float = 0.0

    def __post_init__(self) -> None:
        self.shown = self.out.isatty()  # the system is asked once

    def add(self, event: Event) -> None:
        if not self.shown or not isinstance(event, Verdict):
            return
        now = self.clock()
        self.started = self.started or now
        self.done += 1
        self.failed += event.failed
        cell = (event.engine, event.tokenizer, event.suite)
        if cell != self.cell or now - self.told >= SECONDS:
            self.cell, self.told = cell, now
            self._tell(f"{self._counts()} in {now - self.started:.0f} s; {' / '.join(cell)}")

    def _counts(self) -> str:
        return f"{self.done:,} verdicts" + (f", {self.failed:,} failed" if self.failed else "")

    def _tell(self, line: str) -> None:
        """A line that wraps could not be rewritten."""
        width = shutil.get_terminal_size().columns - 1
        shown = "".join(char if char.isprintable() else "?" for char in line)
        self.out.write(f"\r\x1b[K{shown[:width]}")
        self.out.flush()

    def end(self) -> None:
        if self.cell is not None:
            self.out.write("\r\x1b[K")
            self.out.flush()
