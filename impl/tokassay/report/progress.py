"""A line on stderr that says where a run is; only on a terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, Optional, Tuple

from tokassay.checks.verdict import Verdict
from tokassay.verdicts.events import Event


@dataclass
class Progress:
    """Rewrites one line whenever the engine, tokenizer or suite changes."""

    out: IO[str]
    cell: Optional[Tuple[str, str, str]] = None
    done: int = field(default=0)

    def add(self, event: Event) -> None:
        if not isinstance(event, Verdict) or not self.out.isatty():
            return
        self.done += 1
        cell = (event.engine, event.tokenizer, event.suite)
        if cell != self.cell:
            self.cell = cell
            self.out.write(f"\r\x1b[K{self.done} verdicts; {' / '.join(cell)}")
            self.out.flush()

    def end(self) -> None:
        if self.cell is not None:
            self.out.write("\r\x1b[K")
            self.out.flush()
