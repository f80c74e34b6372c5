"""The failures of a run, in full for the first ones and counted for the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Tuple

from tokassay.checks.verdict import Verdict
from tokassay.verdicts.events import Broken, EngineDown, Event, ListNote, NotRun
from tokassay.verdicts.showing import explained

REASONS = 8  # reasons for `unsupported` that are shown
Cause = Tuple[str, str, str, str]  # engine, tokenizer, kind, reason


@dataclass
class Failures:
    """Collects while events go by; what has one cause (a file that does not load) is shown once.

    `limit`: how many are shown in full; the rest is counted, and listed by id where `list_rest` is set.
    """

    limit: int
    list_rest: bool = False
    shown: Dict[Cause, Verdict] = field(default_factory=dict)
    counts: Dict[Cause, int] = field(default_factory=dict)
    rest: List[str] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    unsupported: Dict[Tuple[str, str, str], Dict[str, int]] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, Verdict) and event.failed:
            self._verdict(event)
        elif isinstance(event, Verdict) and event.kind in ("unsupported", "not-run"):
            counts = self.unsupported.setdefault((event.kind, event.engine, event.reason), {})
            counts[event.suite] = counts.get(event.suite, 0) + 1
        elif isinstance(event, NotRun):
            cell = f"{event.engine} / {event.tokenizer} / {event.suite}"
            self.notes.append(f"not run: {cell}: {event.count} vectors: {event.reason}")
        elif isinstance(event, EngineDown):
            self.notes.append(f"engine down: {event.engine}: {event.reason}")
        elif isinstance(event, Broken):
            self.notes.append(f"BROKEN SUITE: {event.where}: {event.reason}")
        elif isinstance(event, ListNote):
            self.notes.append(f"{'ERROR: ' * event.failed}{event.where}: {event.reason}")

    def _verdict(self, verdict: Verdict) -> None:
        own = f"{verdict.suite} {verdict.vector}" if verdict.difference else verdict.reason
        cause = (verdict.engine, verdict.tokenizer, verdict.kind, own)
        self.counts[cause] = self.counts.get(cause, 0) + 1
        if cause in self.shown:
            return
        if len(self.shown) < self.limit:
            self.shown[cause] = verdict
        else:
            self.rest.append(verdict.vector)

    def lines(self) -> List[str]:
        """Failures, each followed by an empty line, then what did not run."""
        lines: List[str] = []
        for cause, verdict in self.shown.items():
            lines.extend(explained(verdict))
            if self.counts[cause] > 1:
                lines.append(f"  and {self.counts[cause] - 1} more with the same reason")
            lines.append("")
        if self.rest and self.list_rest:
            lines += [f"also failing: {', '.join(self.rest)}", ""]
        elif self.rest:
            lines += [f"{len(self.rest)} more failures (--failures N shows more, --report DIR keeps all)", ""]
        notes = [*self._unsupported(), *self.notes]
        return lines + notes + [""] * bool(notes)

    def _unsupported(self) -> List[str]:
        lines = []
        for (kind, engine, reason), counts in self.unsupported.items():
            where = ", ".join(f"{count} in {suite}" for suite, count in counts.items())
            lines.append(f"{kind}: {engine}: {reason}: {where}")
        if len(lines) <= REASONS:
            return lines
        return [
            *lines[:REASONS],
            f"unsupported or not run for {len(lines) - REASONS} more reasons (--report DIR keeps all)",
        ]
