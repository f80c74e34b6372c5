"""A run as a stream of events, and the stream as JSON Lines.

A report is one header, then verdicts and notes in the order in which they happened, then one
footer. The footer carries the counts: a report without it was cut off and is refused, so a run
that died halfway can never be read as a run that found nothing.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from tokassay.checks.verdict import KINDS, Difference, Verdict

PROTOCOL = "tokassay-report/1"
_quoted = json.encoder.encode_basestring_ascii


@dataclass(frozen=True)
class Header:
    """What is about to run, and where. `started` is UTC in ISO 8601."""

    tokassay: str
    started: str
    platform: str
    python: str
    engines: Tuple[Mapping[str, Any], ...]
    tokenizers: Tuple[Mapping[str, Any], ...]
    suites: Tuple[str, ...]
    levels: Tuple[str, ...] = ()
    protocol: str = PROTOCOL


@dataclass(frozen=True)
class NotRun:
    """`count` vectors of a suite that were selected and could not be tried."""

    engine: str
    tokenizer: str
    suite: str
    count: int
    reason: str


@dataclass(frozen=True)
class EngineDown:
    """An engine could not be started, or used up its restarts: exit code 3."""

    engine: str
    reason: str


@dataclass(frozen=True)
class Broken:
    """The suite or its data is at fault, not the engine: exit code 4."""

    where: str
    reason: str


@dataclass(frozen=True)
class ListNote:
    """Something about the engine owner's list of divergences: an entry that expired, or matched nothing.

    `failed`: it makes the run end with exit code 1.
    """

    where: str
    reason: str
    failed: bool


@dataclass(frozen=True)
class Finding:
    """Failures with one cause: what a reader looks at instead of thousands of verdicts.

    Attributes:
        kind: verdict kind of all of them.
        code: slug of the altered reference that answers as the engine does, or "".
        cause: the likely cause in one line.
        stage: bare name of the first stage that differs, or "".
        characters: the classes of the characters at fault, or "".
        vectors: ids of the failing vectors, `count` of them.
        given: the smallest input, as fields of a vector: ``text``, or ``ids`` and ``skip_special_tokens``.
        difference: both answers to that input, where there are answers.
        account: what both sides made of it at that stage, in lines.
        card: folder of the reproducer, or "".
    """

    engine: str
    tokenizer: str
    suite: str
    kind: str
    count: int
    vectors: Tuple[str, ...]
    cause: str
    code: str = ""
    stage: str = ""
    characters: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    difference: Optional[Difference] = None
    account: str = ""
    card: str = ""


@dataclass(frozen=True)
class Measured:
    """What was measured while one engine ran on one tokenizer (an engine may have several).

    Attributes:
        clauses: anchor → how many checks concern it, were tried, failed.
        calls: operation → bucket (`measures.bounds`) → calls. Engines that are asked ahead have none.
    """

    engine: str
    tokenizer: str
    clauses: Mapping[str, Tuple[int, ...]]
    calls: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Footer:
    """`counts`: verdict kind → how many. `exit_code` as the command line answers it.

    `ids`: engine → tokenizer → sha256 of all ids that the determinism suite saw (clause ``run.id-stream``).
    """

    counts: Mapping[str, int]
    seconds: float
    exit_code: int
    ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


Event = Union[Header, Verdict, NotRun, EngineDown, Broken, ListNote, Finding, Measured, Footer]
_NAMES: Mapping[str, type] = {
    "header": Header,
    "verdict": Verdict,
    "not-run": NotRun,
    "engine-down": EngineDown,
    "broken": Broken,
    "list-note": ListNote,
    "finding": Finding,
    "measured": Measured,
    "footer": Footer,
}
_NAME_OF = {kind: name for name, kind in _NAMES.items()}


class ReportError(ValueError):
    """A report that cannot be trusted: not a report, of another protocol, truncated, or miscounted."""


@dataclass
class Tally:
    """Counts kept while a stream goes by. Mutable on purpose: one per run."""

    counts: Dict[str, int] = field(default_factory=dict)
    down: int = 0
    broken: int = 0
    failed_notes: int = 0
    streams: Dict[Tuple[str, str], int] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, Verdict):
            self.counts[event.kind] = self.counts.get(event.kind, 0) + 1
            if event.digest:
                self._add_digest(event)
        elif isinstance(event, NotRun):
            self.counts["not-run"] = self.counts.get("not-run", 0) + event.count
        elif isinstance(event, EngineDown):
            self.down += 1
        elif isinstance(event, Broken):
            self.broken += 1
        elif isinstance(event, ListNote):
            self.failed_notes += event.failed

    def _add_digest(self, verdict: Verdict) -> None:
        """A sum, so that neither the order nor the number of processes matters."""
        one = hashlib.sha256(f"{verdict.vector}\n{verdict.digest}".encode()).digest()
        key = (verdict.engine, verdict.tokenizer)
        self.streams[key] = (self.streams.get(key, 0) + int.from_bytes(one, "big")) % 2**256

    def ids(self) -> Dict[str, Dict[str, str]]:
        """Engine → tokenizer → what stands for all of its ids (clause ``run.id-stream``)."""
        found: Dict[str, Dict[str, str]] = {}
        for (engine, tokenizer), total in sorted(self.streams.items()):
            found.setdefault(engine, {})[tokenizer] = f"{total:064x}"
        return found


def to_json(event: Event) -> str:
    """One line of ASCII JSON; empty fields are left out."""
    if isinstance(event, Verdict):
        return _verdict_json(event)
    values = {key: value for key, value in asdict(event).items() if value not in ("", None, {})}
    if isinstance(event, Finding) and event.difference is not None:
        values["difference"] = _difference_json(event.difference)
    elif isinstance(event, Footer):
        values["counts"] = dict(event.counts)  # stands there even when empty
    return json.dumps({"event": _NAME_OF[type(event)], **values}, default=list)


def _verdict_json(verdict: Verdict) -> str:
    opening = _opening(verdict.kind, verdict.suite, verdict.engine, verdict.tokenizer)
    parts = [f"{opening}{_quoted(verdict.vector)}"]
    if verdict.kind != "pass":
        rest: Dict[str, Any] = {
            "reason": verdict.reason,
            "text": verdict.text,
            "stage": verdict.stage,
            "code": verdict.code,
            "cause": verdict.cause,
            "clauses": list(verdict.clauses),
        }
        if verdict.difference is not None:
            rest["difference"] = _difference_json(verdict.difference)
        parts += [
            f"{_quoted(key)}: {json.dumps(value, default=list)}" for key, value in rest.items() if value
        ]
    if verdict.digest:
        parts.append(f'"digest": {_quoted(verdict.digest)}')
    return f"{', '.join(parts)}}}"


@lru_cache(maxsize=1024)
def _opening(kind: str, suite: str, engine: str, tokenizer: str) -> str:
    """A verdict's line up to its vector: written once, for passes are nearly all of a run."""
    values = {"event": "verdict", "kind": kind, "suite": suite, "engine": engine, "tokenizer": tokenizer}
    return f'{json.dumps(values)[:-1]}, "vector": '


def _difference_json(difference: Difference) -> Dict[str, Any]:
    def plain(value: object) -> object:
        return {"hex": value.hex()} if isinstance(value, bytes) else value

    return {"what": difference.what, "expected": plain(difference.expected), "got": plain(difference.got)}


def _difference_of(values: Mapping[str, Any]) -> Difference:
    def rich(value: Any) -> Any:
        return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value

    return Difference(values["what"], rich(values["expected"]), rich(values["got"]))


def from_json(line: str) -> Event:
    """The event of one line. Raises ReportError."""
    try:
        values = json.loads(line)
        kind = _NAMES[values.pop("event")]
        if values.get("difference"):
            values["difference"] = _difference_of(values["difference"])
        for name in ("clauses", "engines", "tokenizers", "suites", "levels", "vectors"):
            if isinstance(values.get(name), list):
                values[name] = tuple(values[name])
        if kind is Measured:
            values["clauses"] = {name: tuple(counts) for name, counts in values.get("clauses", {}).items()}
        event: Event = kind(**values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"not a report line: {line[:60]!r}") from error
    if isinstance(event, Verdict) and event.kind not in KINDS:
        raise ReportError(f"unknown verdict kind {event.kind!r}")
    return event


def read(path: Path) -> List[Event]:
    """A whole report. Raises ReportError when it has no header or footer, or when the counts disagree."""
    try:
        text = path.read_bytes().decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: {error}") from error
    return list(checked(text.split("\n"), str(path)))


def checked(lines: Iterable[str], name: str) -> Iterator[Event]:
    """The events of a report's lines, proven to be whole."""
    tally = Tally()
    footer: Optional[Footer] = None
    header: Optional[Header] = None
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        event = from_json(line)
        if footer is not None:
            raise ReportError(f"{name}: line {number} stands after the footer")
        if header is None and not isinstance(event, Header):
            raise ReportError(f"{name}: no header")
        if isinstance(event, Header):
            header = _accept(event, header, name)
        footer = event if isinstance(event, Footer) else None
        tally.add(event)
        yield event
    if header is None:
        raise ReportError(f"{name}: no header")
    if footer is None:
        raise ReportError(f"{name}: no footer: the report is truncated")
    if dict(footer.counts) != tally.counts:
        raise ReportError(f"{name}: the footer counts {dict(footer.counts)}, the lines {tally.counts}")


def _accept(event: Header, before: object, name: str) -> Header:
    if before is not None:
        raise ReportError(f"{name}: a second header")
    if event.protocol != PROTOCOL:
        raise ReportError(f"{name}: protocol {event.protocol!r}, this program reads {PROTOCOL!r}")
    return event
