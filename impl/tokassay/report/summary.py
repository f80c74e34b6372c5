"""A run in bounded memory: counts of everything, and as many failures as a reader can take in.

A run may have hundreds of thousands of failures. Of every cell (engine, tokenizer, suite, kind) the first
ones are kept, so that no cell crowds out another; how many were left out is told.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Any, DefaultDict, Dict, Iterable, List, Optional, Tuple

from tokassay.checks.verdict import FAILURES, Verdict
from tokassay.verdicts.events import (
    Broken,
    EngineDown,
    Event,
    Finding,
    Footer,
    Header,
    ListNote,
    Measured,
    NotRun,
)

from . import excerpt
from .matrix import Matrix

MOST_FAILURES = 1000  # that are kept in the end
MOST_FINDINGS = 300
MOST_NOTES = 200
SHOWN = FAILURES | {"known"}
Cell = Tuple[str, str, str, str]  # engine, tokenizer, suite, kind


@dataclass(frozen=True)
class Note:
    """Something that the reader has to know besides verdicts. `serious`: it decides the exit code."""

    title: str
    where: str
    reason: str
    serious: bool


@dataclass
class Summary:
    """Collects while events go by. Mutable on purpose: one per run."""

    header: Optional[Header] = None
    footer: Optional[Footer] = None
    matrix: Matrix = field(default_factory=Matrix)
    notes: List[Note] = field(default_factory=list)
    notes_left_out: int = 0
    findings: List[Dict[str, Any]] = field(default_factory=list)
    findings_left_out: int = 0
    clauses: DefaultDict[str, Dict[str, List[int]]] = field(default_factory=lambda: defaultdict(dict))
    calls: DefaultDict[str, Dict[str, Dict[int, int]]] = field(default_factory=lambda: defaultdict(dict))
    unsupported: Dict[Tuple[str, str], Dict[str, int]] = field(default_factory=dict)
    kept: Dict[Cell, List[Dict[str, Any]]] = field(default_factory=dict)
    keeping: int = 0
    limit: int = 64  # of failures kept in one cell; it shrinks where there are many cells

    def add(self, event: Event) -> None:
        self.matrix.add(event)
        if isinstance(event, Verdict):
            self._verdict(event)
        elif isinstance(event, Header):
            self.header = event
        elif isinstance(event, Footer):
            self.footer = event
        elif isinstance(event, Finding):
            self._finding(event)
        elif isinstance(event, Measured):
            self._measured(event)
        else:
            self._note(event)

    @property
    def failures(self) -> int:
        """How many verdicts make the run fail."""
        return sum(count for kind, count in self.matrix.totals().items() if kind in FAILURES)

    def causes(self) -> List[Dict[str, Any]]:
        """The findings, those of one engine with one cause as one, the largest first.

        `tokenizers` maps names to verdicts, `cards` lists the reproducers; all else is of the finding with
        the shortest input.
        """
        groups: Dict[Tuple[object, ...], List[Dict[str, Any]]] = {}
        for finding in self.findings:
            key = tuple(finding.get(name) for name in ("engine", "kind", "cause", "code", "stage"))
            groups.setdefault(key, []).append(finding)
        return sorted(map(_together, groups.values()), key=lambda cause: -int(cause["count"]))

    def shown(self, limit: int = MOST_FAILURES) -> List[Dict[str, Any]]:
        """The failures to show: the first of every cell, then the second, up to `limit`, cells together."""
        rows = chain.from_iterable(zip_longest(*self.kept.values()))
        chosen = {id(row) for row in [row for row in rows if row is not None][:limit]}
        return [row for rows in self.kept.values() for row in rows if id(row) in chosen]

    def _verdict(self, verdict: Verdict) -> None:
        if verdict.kind in SHOWN:
            self._keep(verdict)
        elif verdict.kind in ("unsupported", "not-run"):
            key = (verdict.engine, excerpt.cut(f"{verdict.kind}: {verdict.reason}", excerpt.TEXT))
            if key not in self.unsupported and len(self.unsupported) >= MOST_NOTES:
                key = (verdict.engine, "other reasons")
            counts = self.unsupported.setdefault(key, {})
            counts[verdict.suite] = counts.get(verdict.suite, 0) + 1

    def _keep(self, verdict: Verdict) -> None:
        rows = self.kept.setdefault((verdict.engine, verdict.tokenizer, verdict.suite, verdict.kind), [])
        if verdict.difference is None and rows and rows[-1].get("reason", "") == _reason(verdict):
            rows[-1]["times"] = rows[-1].get("times", 1) + 1  # one cause: shown once
            return
        if len(rows) >= self.limit:
            return
        rows.append(excerpt.of_verdict(verdict))
        self.keeping += 1
        if self.keeping > 4 * MOST_FAILURES and self.limit > 1:
            self._shrink()

    def _shrink(self) -> None:
        self.limit //= 2
        for rows in self.kept.values():
            del rows[self.limit :]
        self.keeping = sum(map(len, self.kept.values()))

    def _finding(self, finding: Finding) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(excerpt.of_finding(finding))
        else:
            self.findings_left_out += 1

    def _measured(self, measured: Measured) -> None:
        clauses = self.clauses[measured.engine]
        for clause, counts in measured.clauses.items():
            clauses[clause] = [a + b for a, b in zip(clauses.get(clause, (0, 0, 0)), counts)]
        for operation, histogram in measured.calls.items():
            total = self.calls[measured.engine].setdefault(operation, {})
            for index, count in histogram.items():
                total[int(index)] = total.get(int(index), 0) + count

    def _note(self, event: Event) -> None:
        if len(self.notes) >= MOST_NOTES:
            self.notes_left_out += 1
            return
        note = _as_note(event)
        if note is not None:
            self.notes.append(note)


def _together(findings: List[Dict[str, Any]]) -> Dict[str, Any]:
    tokenizers: Dict[str, int] = {}
    for finding in findings:
        name = finding["tokenizer"]
        tokenizers[name] = tokenizers.get(name, 0) + finding["count"]
    shortest = min(findings, key=lambda finding: len(finding.get("text", "")) or excerpt.TEXT)
    cards = [finding["card"] for finding in findings if "card" in finding]
    return {**shortest, "count": sum(tokenizers.values()), "tokenizers": tokenizers, "cards": cards}


def _as_note(event: Event) -> Optional[Note]:
    if isinstance(event, EngineDown):
        return _note("engine down", event.engine, event.reason, serious=True)
    if isinstance(event, Broken):
        return _note("suite broken", event.where, event.reason, serious=True)
    if isinstance(event, ListNote):
        return _note("list of divergences", event.where, event.reason, serious=event.failed)
    if isinstance(event, NotRun):
        where = f"{event.engine} / {event.tokenizer} / {event.suite}"
        return _note("not run", where, f"{event.count} vectors: {event.reason}", serious=False)
    return None


def _note(title: str, where: str, reason: str, *, serious: bool) -> Note:
    return Note(title, excerpt.cut(where, excerpt.TEXT), excerpt.cut(reason, excerpt.TEXT), serious)


def _reason(verdict: Verdict) -> str:
    return excerpt.cut(verdict.reason, excerpt.TEXT)


def summarized(events: Iterable[Event]) -> Summary:
    """The summary of a whole report."""
    summary = Summary()
    for event in events:
        summary.add(event)
    return summary
