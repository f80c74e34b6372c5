"""Divergences that an engine's owner has listed: they must still fail. Clause ``run.known-list``."""

from __future__ import annotations

import datetime as dt
import fnmatch
import re
from dataclasses import dataclass, field, replace
from typing import Dict, Iterable, Iterator, List, Pattern, Sequence, Tuple

from tokassay.checks.verdict import Verdict
from tokassay.core.errors import FormatError
from tokassay.core.fields import Fields

from .events import Event, ListNote

CLASSES = ("diverge", "error", "crash", "timeout")
NAMES = ("vector", "engine", "tokenizer", "suite", "class", "reason", "link", "expires")


@dataclass(frozen=True)
class Entry:
    """One entry of the list. `vectors`, `engine`, `tokenizer` and `suite` are globs.

    `kind` is the verdict that is listed, `expires` the last day on which it holds (ISO 8601), or "".
    """

    where: str
    vectors: Tuple[str, ...]
    kind: str
    reason: str
    link: str = ""
    expires: str = ""
    engine: str = "*"
    tokenizer: str = "*"
    suite: str = "*"

    def concerns(self, engine: str, tokenizer: str, suite: str) -> bool:
        """Whether it may match vectors of this cell."""
        pairs = ((engine, self.engine), (tokenizer, self.tokenizer), (suite, self.suite))
        return all(fnmatch.fnmatchcase(name, glob) for name, glob in pairs)

    def expired(self, today: str) -> bool:
        return bool(self.expires) and self.expires < today

    @property
    def shown(self) -> str:
        return f"{self.where}: {self.reason}" + (f" ({self.link})" if self.link else "")


def entries(document: object, name: str) -> Tuple[Entry, ...]:
    """The entries of a parsed file: ``divergence`` is a list of tables.

    Raises:
        FormatError: what a table holds is not what an entry holds; `field` names the place.
    """
    try:
        fields = Fields.of(document, "")
        _refuse_others(fields, ("divergence",))
        return tuple(
            _entry(Fields.of(value, f"divergence[{number}]"), f"{name}: entry {number + 1}")
            for number, value in enumerate(fields.sequence("divergence"))
        )
    except FormatError as error:
        raise error.at(name) from error


def _entry(fields: Fields, where: str) -> Entry:
    _refuse_others(fields, NAMES)
    return Entry(
        where,
        vectors=_globs(fields),
        kind=fields.choice("class", CLASSES),
        reason=_said(fields, "reason"),
        link=fields.string("link", ""),
        expires=_day(fields),
        **{part: fields.string(part, "*") for part in ("engine", "tokenizer", "suite")},
    )


def _refuse_others(fields: Fields, known: Sequence[str]) -> None:
    for key in fields.values:
        if key not in known:
            raise FormatError(f"unknown key; known: {', '.join(known)}", field=fields.place(key))


def _globs(fields: Fields) -> Tuple[str, ...]:
    value = fields.values.get("vector")
    globs = value if isinstance(value, list) else [value]
    if not globs or not all(isinstance(glob, str) and glob for glob in globs):
        raise FormatError("needs a glob on vector ids, or a list of them", field=fields.place("vector"))
    return tuple(globs)


def _said(fields: Fields, key: str) -> str:
    text = fields.string(key)
    if not text.strip():
        raise FormatError("must not be empty", field=fields.place(key))
    return text


def _day(fields: Fields) -> str:
    value = fields.values.get("expires", "")
    if value == "":
        return ""
    try:
        return dt.date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        raise FormatError(
            f"not a day like 2030-01-31: {str(value)!r}", field=fields.place("expires")
        ) from error


@dataclass(frozen=True)
class KnownList:
    """The list in force on one day; `cells` remembers which entries concern a cell."""

    entries: Sequence[Entry] = ()
    today: str = ""
    cells: Dict[Tuple[str, str, str], List[Tuple[Entry, Pattern[str]]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def matching(self, verdict: Verdict) -> List[Entry]:
        """The entries that match a verdict's vector."""
        cell = (verdict.engine, verdict.tokenizer, verdict.suite)
        if cell not in self.cells:
            concerned = [entry for entry in self.entries if entry.concerns(*cell)]
            self.cells[cell] = [(entry, _pattern(entry.vectors)) for entry in concerned]
        return [entry for entry, pattern in self.cells[cell] if pattern.match(verdict.vector)]

    def judge(self, verdict: Verdict) -> Verdict:
        """The verdict in the light of the list."""
        found = self.matching(verdict)
        if not found:
            return verdict
        if verdict.kind == "pass":
            return replace(verdict, kind="unexpected-pass", reason=f"it passes, but {found[0].shown}")
        listed = [entry for entry in found if entry.kind == verdict.kind]
        valid = [entry for entry in listed if not entry.expired(self.today)]
        if valid:
            return replace(verdict, kind="known", reason=valid[0].shown)
        if listed:
            reason = f"known until {listed[0].expires}, which is over: {listed[0].shown}"
            return replace(verdict, kind="error", reason=reason)
        if verdict.failed:
            more = f"listed as {found[0].kind}: {found[0].shown}"
            return replace(verdict, reason=f"{verdict.reason}; {more}" if verdict.reason else more)
        return verdict

    def notes(self, judged: Iterable[Event]) -> Iterator[ListNote]:
        """What is wrong with the list itself, after a run. A pass that it matches is no pass any more."""
        met = {
            entry.where
            for event in judged
            if isinstance(event, Verdict) and event.kind != "pass"
            for entry in self.matching(event)
        }
        for entry in self.entries:
            if entry.expired(self.today):
                yield ListNote(entry.where, f"expired on {entry.expires}: {entry.reason}", failed=True)
            elif entry.where not in met:
                yield ListNote(entry.where, f"matches nothing: {', '.join(entry.vectors)}", failed=False)

    def applied(self, events: Iterable[Event]) -> Iterator[Event]:
        """A run's events with the list applied, and its notes at the end."""
        if not self.entries:
            yield from events
            return
        concerned: List[Event] = []
        for event in events:
            judged = self.judge(event) if isinstance(event, Verdict) else event
            if isinstance(judged, Verdict) and judged.kind != "pass":
                concerned.append(judged)
            yield judged
        yield from self.notes(concerned)


def _pattern(globs: Sequence[str]) -> Pattern[str]:
    return re.compile("|".join(fnmatch.translate(glob) for glob in globs))
