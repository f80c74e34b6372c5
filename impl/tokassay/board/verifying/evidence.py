"""A folder that was read whole: every file in the form that its writer gives it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from tokassay.checks.verdict import Verdict
from tokassay.device import folder as names
from tokassay.verdicts.answers import Answers, Sums
from tokassay.verdicts.events import Event, Footer, Header, ReportError, Tally, checked

from . import shapes
from .reading import EvidenceError, Problem, lines, parsed, read_folder

Json = Mapping[str, Any]
_SHAPES: Mapping[str, type] = {
    names.REQUEST: shapes.Request,
    names.IDENTITY: shapes.Identity,
    names.OUTCOME: shapes.Outcome,
    names.FACTS: shapes.Facts,
    names.CONTROLLER: shapes.Controller,
    names.HOST: shapes.Host,
}
TEXTS = tuple(field.name for field in fields(Verdict) if field.type == "str")
_LINES: Mapping[str, type] = {names.CONDITIONS: shapes.Snapshot, names.SAMPLES: shapes.Series}


@dataclass(frozen=True)
class Told:
    """All events together.

    Attributes:
        tally: counts, and the sums of ids.
        answers: the sums of answers.
        kinds: ``engine/tokenizer/suite`` → the kinds of its verdicts.
    """

    tally: Tally
    answers: Sums
    kinds: Mapping[str, set[str]]

    @classmethod
    def of(cls, events: Sequence[Event]) -> Told:
        tally, answers, kinds = Tally(), Answers(), dict[str, set[str]]()
        for event in events:
            tally.add(event)
            answers.add(event)
            if isinstance(event, Verdict):
                name = f"{event.engine}/{event.tokenizer}/{event.suite}"
                kinds.setdefault(name, set()).add(event.kind)
        return cls(tally, answers.sums(), kinds)


@dataclass(frozen=True)
class Evidence:
    """The content of the files, by who wrote what; `files`: their bytes."""

    files: Mapping[str, bytes]
    request: Json
    identity: Json
    conditions: Sequence[Json]
    events: Sequence[Event]
    series: Sequence[Json]
    facts: Json
    outcome: Json
    controller: Json
    host: Json
    statement: Any

    @cached_property
    def told(self) -> Told:
        """Derived once: several checks look at it."""
        return Told.of(self.events)

    @property
    def header(self) -> Header:
        return next(event for event in self.events if isinstance(event, Header))

    @property
    def footer(self) -> Footer:
        return next(event for event in self.events if isinstance(event, Footer))

    @property
    def transcript(self) -> str:
        return self.files[names.TRANSCRIPT].decode("utf-8", "replace")


def read(folder: Path) -> Evidence:
    """Raises EvidenceError: missing or foreign files, no plain JSON, other fields than the writer's."""
    return understood(read_folder(folder))


def understood(files: Mapping[str, bytes]) -> Evidence:
    """The evidence in these files. Raises EvidenceError with everything that is not understood."""
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for name in (*_SHAPES, *_LINES, names.STATEMENT):
        try:
            values[name] = lines(name, files[name]) if name in _LINES else parsed(name, files[name])
        except EvidenceError as error:  # noqa: PERF203 - every file is told
            problems += error.problems
    problems += [problem for name, value in values.items() for problem in _misshapen(name, value)]
    try:
        events = _events(files[names.RESULTS])
    except EvidenceError as error:
        problems += error.problems
    if problems:
        raise EvidenceError(problems)
    return Evidence(
        files,
        values[names.REQUEST],
        values[names.IDENTITY],
        values[names.CONDITIONS],
        events,
        values[names.SAMPLES],
        values[names.FACTS],
        values[names.OUTCOME],
        values[names.CONTROLLER],
        values[names.HOST],
        values[names.STATEMENT],
    )


def _misshapen(name: str, value: Any) -> Iterator[Problem]:
    if name in _SHAPES:
        found = shapes.differences(value, _SHAPES[name])
    elif name in _LINES:
        found = (
            difference
            for number, line in enumerate(value)
            for difference in shapes.differences(line, _LINES[name], f"[{number}]")
        )
    else:
        found = iter(())  # the statement is compared whole
    yield from (Problem(name, field, reason) for field, reason in found)


def _events(data: bytes) -> list[Event]:
    """The events, proven to be whole; every line is plain JSON, too."""
    values = lines(names.RESULTS, data)
    try:
        events = list(checked(map(json.dumps, values), names.RESULTS))
    except ReportError as error:
        reason = str(error).removeprefix(f"{names.RESULTS}: ")
        raise EvidenceError([Problem(names.RESULTS, "", reason)]) from error
    except (TypeError, AttributeError, ValueError) as error:
        raise EvidenceError([Problem(names.RESULTS, "", f"no report: {error}")]) from error
    problems = [
        Problem(names.RESULTS, f"[{number}]{field and '.'}{field}", reason)
        for number, event in enumerate(events)
        for field, reason in _misshapen_event(event)
    ]
    if problems:
        raise EvidenceError(problems)
    return events


def _misshapen_event(event: Event) -> Iterator[tuple[str, str]]:
    """Fields that are not of their type; verdicts are many, so theirs are looked at together."""
    if isinstance(event, Verdict):
        if not all(type(getattr(event, name)) is str for name in TEXTS):
            yield "", "a field that should be text is not"
        return
    plain = json.loads(json.dumps(asdict(event), default=list))
    found = list(shapes.differences(plain, type(event)))
    yield from found
    if isinstance(event, Header) and not found:
        for list_name, wanted in (("engines", {"name"}), ("tokenizers", {"name", "sha256"})):
            for number, one in enumerate(plain[list_name]):
                if not all(isinstance(one.get(name), str) for name in wanted):
                    yield f"{list_name}[{number}]", f"expected text as {' and '.join(sorted(wanted))}"
