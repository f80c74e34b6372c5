"""Several reports as one: shards of a run, or runs of different engines.

A verdict stands for one (engine, tokenizer, suite, vector). The same verdict in two reports is one; two
different ones contradict each other, and nobody can say which is right: an error. The same holds for an
engine in two versions and for a tokenizer's name with two files.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from tokassay.checks.vector import DIGITS
from tokassay.checks.verdict import Verdict
from tokassay.verdicts.events import (
    Event,
    Footer,
    Header,
    Measured,
    NotRun,
    ReportError,
    Tally,
    to_json,
)
from tokassay.verdicts.exit_code import exit_code

from .excerpt import answer_key
from .writing import stream

Case = Tuple[str, str, str, str]  # engine, tokenizer, suite, vector
Entry = Mapping[str, Any]  # an engine or a tokenizer of a header


def merged(paths: Sequence[Path]) -> Iterator[Event]:
    """The events of one report made of several. Raises ReportError where two contradict each other."""
    header, footer, counts = _frame(paths)
    yield header
    tally, told = Tally(), Told(counts)
    for path in paths:
        told.begin(str(path))
        for event in stream(path):
            if not isinstance(event, (Header, Footer)) and told.is_new(event):
                tally.add(event)
                yield event
    yield replace(footer, counts=dict(tally.counts), exit_code=exit_code(tally))


def _frame(paths: Sequence[Path]) -> Tuple[Header, Footer, Mapping[Tuple[str, str, str], int]]:
    """Header and footer of the whole, and how many verdicts each cell has."""
    header: Optional[Header] = None
    footer = Footer({}, 0.0, 0)
    counts: Dict[Tuple[str, str, str], int] = {}
    for path in paths:
        for event in stream(path):
            if isinstance(event, Header):
                header = event if header is None else _headers(header, event, str(path))
            elif isinstance(event, Footer):
                footer = _footers(footer, event, str(path))
            elif isinstance(event, Verdict):
                cell = (event.engine, event.tokenizer, event.suite)
                counts[cell] = counts.get(cell, 0) + 1
    if header is None:
        raise ReportError("nothing to merge")
    return header, footer, counts


@dataclass
class Told:
    """What has gone by, one report after the other. Mutable on purpose."""

    counts: Mapping[Tuple[str, str, str], int]  # verdicts of each cell, in all reports
    name: str = ""
    verdicts: Dict[Case, int] = field(default_factory=dict)
    others: Set[str] = field(default_factory=set)
    fresh: Set[Tuple[str, str]] = field(default_factory=set)  # with a new verdict in this report

    def begin(self, name: str) -> None:
        self.name = name
        self.fresh.clear()

    def is_new(self, event: Event) -> bool:
        """Whether the event belongs into the merged report. Raises ReportError for a contradiction."""
        if isinstance(event, Verdict):
            return self._verdict(event)
        if isinstance(event, Measured):  # of verdicts that were told before: the same run once more
            return (event.engine, event.tokenizer) in self.fresh
        if isinstance(event, NotRun) and self._tried(event):
            return False
        line = to_json(event)
        known = line in self.others
        self.others.add(line)
        return not known

    def _verdict(self, verdict: Verdict) -> bool:
        case = (verdict.engine, verdict.tokenizer, verdict.suite, verdict.vector)
        answer = answer_key(verdict)
        before = self.verdicts.get(case)
        if before is not None:
            if before != answer:
                raise ReportError(
                    f"{self.name}: another verdict ({verdict.kind}) on {' / '.join(case)} than before"
                )
            return False
        self.verdicts[case] = answer
        self.fresh.add(case[:2])
        return True

    def _tried(self, event: NotRun) -> bool:
        return self.counts.get((event.engine, event.tokenizer, event.suite), 0) >= event.count


def _headers(first: Header, second: Header, name: str) -> Header:
    """Both headers in one. Raises ReportError where an engine or a tokenizer is not the same in both."""
    return replace(
        first,
        tokassay=_both(first.tokassay, second.tokassay),
        started=min(first.started, second.started),
        platform=_both(first.platform, second.platform),
        python=_both(first.python, second.python),
        engines=_entries("engine", first.engines, second.engines, "version", name),
        tokenizers=_entries("tokenizer", first.tokenizers, second.tokenizers, "sha256", name),
        suites=tuple(dict.fromkeys((*first.suites, *second.suites))),
        levels=tuple(dict.fromkeys((*first.levels, *second.levels))),
    )


def _both(first: str, second: str) -> str:
    return "; ".join(dict.fromkeys([*first.split("; "), second]))


def _entries(
    what: str, first: Sequence[Entry], second: Sequence[Entry], identity: str, name: str
) -> Tuple[Entry, ...]:
    found: Dict[str, Entry] = {str(entry["name"]): entry for entry in first}
    for entry in second:
        known = found.setdefault(str(entry["name"]), entry)
        ours, theirs = known.get(identity), entry.get(identity)
        if ours != theirs:
            told = f"{identity} {theirs!r}, before it was {ours!r}"
            raise ReportError(f"{name}: {what} {entry['name']}: {told}")
        before, now = _binary(known), _binary(entry)
        if before and now and before != now:
            told = f"another program (sha256 {now[:DIGITS]}, before it was {before[:DIGITS]})"
            raise ReportError(f"{name}: {what} {entry['name']}: {told}")
        found[str(entry["name"])] = {**entry, **known, **_larger(known, entry)}
    return tuple(found.values())


def _binary(entry: Entry) -> str:
    """The sha256 of an engine's program: two programs may call themselves the same."""
    return str(entry.get("build", {}).get("sha256", ""))


def _larger(known: Entry, entry: Entry) -> Entry:
    """Parts of a run may hold parts of the vectors: the larger part is a number that is true of both."""
    counts: List[int] = [int(one["vectors"]) for one in (known, entry) if "vectors" in one]
    return {"vectors": max(counts)} if counts else {}


def _footers(first: Footer, second: Footer, name: str) -> Footer:
    ids: Dict[str, Dict[str, str]] = {engine: dict(found) for engine, found in first.ids.items()}
    for engine, found in second.ids.items():
        known = ids.setdefault(engine, {})
        for tokenizer, sha256 in found.items():
            if known.setdefault(tokenizer, sha256) != sha256:
                raise ReportError(f"{name}: other ids of {engine} on {tokenizer} than before")
    return Footer({}, round(first.seconds + second.seconds, 3), 0, ids)
