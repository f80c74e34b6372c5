"""Runs the checks on engines, tokenizers and vectors, and tells what happens as a stream of events.

The driver holds no output, no files and no selection: a plan goes in, events come out. It runs on
the host and on a board alike.
"""

from __future__ import annotations

import platform
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile, tee
from pathlib import Path
from typing import Callable, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Union

from tokassay.checks import Suite, determinism
from tokassay.checks.asking import format_of
from tokassay.checks.calls import announce
from tokassay.checks.engine import Engine, EngineError, EngineInfo, Session, UnavailableError
from tokassay.checks.judging import accepted, ask, kind_of, verdict
from tokassay.checks.stored import of_suite
from tokassay.checks.vector import INLINE, Vector
from tokassay.checks.verdict import Verdict

from . import twins
from .events import Broken, EngineDown, Event, Footer, Header, NotRun, Tally
from .exit_code import exit_code
from .kept import Kept
from .known import KnownList
from .measures import Measures, is_timed

# What a vector is given its own file as.
OWN_FILE = frozenset(("tokenizer", "file", "files"))
# Says more about a diverging verdict: the first stage that differs, what lies behind a digest.
Diagnose = Callable[[Session, Vector, Verdict], Verdict]
Conclude = Callable[[Kept], Iterator[Event]]


@dataclass(frozen=True)
class Target:
    """One tokenizer and the vectors that hold an answer for it and for nothing else (`narrowed`).

    Without a `path` it is not run, and `reason` says why. The target named `INLINE` has no path either:
    each of its vectors brings its own tokenizer. `original` is the file that the answers are about where
    that is another one than the engines load (an export).
    """

    name: str
    path: Optional[str]
    vectors: Sequence[Vector]
    sha256: str = ""
    reason: str = ""
    original: Optional[str] = None


@dataclass(frozen=True)
class Plan:
    """What to run: every engine on every target in every suite.

    `down`: engine → why it did not start. `broken`: part of the suite's data → what is wrong with it.
    `known`: what the engine's owner has listed. `conclude`: the findings behind the failing verdicts.
    `twin`: the same engine in another process.
    """

    version: str
    engines: Sequence[Engine]
    targets: Sequence[Target]
    suites: Sequence[Suite]
    levels: Tuple[str, ...] = ()
    down: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    diagnose: Optional[Diagnose] = None
    known: KnownList = field(default_factory=KnownList)
    conclude: Optional[Conclude] = None
    twin: Optional[Callable[[Engine], Optional[Engine]]] = None


def run(plan: Plan, body: Optional[Callable[[Plan], Iterator[Event]]] = None) -> Iterator[Event]:
    """The events of one run, header first, footer last; `body` replaces `run_plan_body`."""
    tally, started = Tally(), time.monotonic()
    failed = Kept()
    yield header(plan)
    for event in plan.known.applied((body or run_plan_body)(plan)):
        tally.add(event)
        if plan.conclude is not None and isinstance(event, Verdict) and event.failed:
            failed.add(event)
        yield event
    if plan.conclude is not None and failed:
        yield from plan.conclude(failed)
    yield Footer(dict(tally.counts), round(time.monotonic() - started, 3), exit_code(tally), tally.ids())


def header(plan: Plan) -> Header:
    return Header(
        tokassay=plan.version,
        started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        platform=platform.platform(),
        python=sys.version.split()[0],
        engines=tuple(_shown(engine.info) for engine in plan.engines),
        tokenizers=tuple(
            {"name": t.name, "sha256": t.sha256, "vectors": len(t.vectors)} for t in plan.targets
        ),
        suites=tuple(suite.name for suite in plan.suites),
        levels=plan.levels,
    )


def _shown(info: EngineInfo) -> Mapping[str, object]:
    return {
        "name": info.name,
        "version": info.version,
        "capabilities": sorted(info.capabilities),
        "formats": list(info.formats),
        "invalid_utf8": info.invalid_utf8,
        "build": dict(info.build),
    }


def run_plan_body(plan: Plan) -> Iterator[Event]:
    """What lies between header and footer: each engine on each target in turn."""
    for where, reason in sorted(plan.broken.items()):
        yield Broken(where, reason)
    fallen = dict(plan.down)
    for name, reason in sorted(fallen.items()):
        yield EngineDown(name, reason)
    for target in plan.targets:
        for engine in plan.engines:
            name = engine.info.name
            if name in fallen:
                yield from _not_run(plan.suites, name, target, fallen[name])
                continue
            for event in run_target(plan, engine, target):
                if isinstance(event, EngineDown):
                    fallen[name] = event.reason
                yield event


def run_target(plan: Plan, engine: Engine, target: Target) -> Iterator[Event]:
    """One engine on one tokenizer; what was measured comes last."""
    measures = Measures()
    if target.name == INLINE:
        yield from _run_inline(plan, engine, target, measures)
    elif target.path is None:
        yield from _not_run(plan.suites, engine.info.name, target, target.reason)
    else:
        twin = plan.twin(engine) if plan.twin is not None and _asks_again(plan) else None
        events = _run_file(plan, engine, target, target.path, measures)
        yield from twins.compared(events, twin, target.path, target.vectors)
    measured = measures.event(engine.info.name, target.name)
    if measured is not None:
        yield measured


def _asks_again(plan: Plan) -> bool:
    return any(suite.name == determinism.SUITE for suite in plan.suites)


def _run_inline(plan: Plan, engine: Engine, target: Target, measures: Measures) -> Iterator[Event]:
    """Each vector on its own tokenizer, written to a file for the engine (to a folder, if it is several)."""
    with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
        for number, vector in enumerate(target.vectors):
            path = _written(vector, Path(scratch) / str(number))
            yield from _run_file(plan, engine, replace(target, vectors=(vector,)), str(path), measures)


def _written(vector: Vector, folder: Path) -> Path:
    files: Mapping[str, str] = vector.given.get("files", {})  # type: ignore[assignment]
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content.encode("utf-8"))
    if files:
        return folder
    (folder / vector.file_name).write_bytes(vector.inline or b"")
    return folder / vector.file_name


def _run_file(plan: Plan, engine: Engine, target: Target, path: str, measures: Measures) -> Iterator[Event]:
    loaded = _load(engine, path)
    timed = loaded if isinstance(loaded, EngineError) else measures.timed(loaded)
    for number, suite in enumerate(plan.suites):
        vectors, announced = of_suite(target.vectors, suite.name, suite.applies), False
        coming = Coming(vectors)
        for done, vector in enumerate(coming):
            try:
                if not announced:
                    _tell(suite, loaded, coming.after(vector))
                announced = vector.op != "sweep"  # a sweep announces by itself
                found = _verdict(suite, engine, timed if is_timed(done) else loaded, vector, path)
                measures.add(vector, found)
                yield _diagnosed(plan, loaded, vector, found)
            except UnavailableError as error:  # noqa: PERF203 - one case must not end the run
                yield EngineDown(engine.info.name, error.reason)
                left = len(vectors) - done
                yield NotRun(engine.info.name, target.name, suite.name, left, error.reason)
                yield from _not_run(plan.suites[number + 1 :], engine.info.name, target, error.reason)
                return
            except Exception as error:  # noqa: BLE001 - the engine's failures are verdicts: this one is ours
                where = f"{suite.name} / {target.name} / {vector.id}"
                yield Broken(where, f"{type(error).__name__}: {error}")


Loaded = Union[Session, EngineError]


def _load(engine: Engine, path: str) -> Loaded:
    """The session, or how loading failed; even `UnavailableError` waits until a case needs the session."""
    try:
        return ask(engine.load, path)
    except (
        EngineError
    ) as error:  # the path says nothing to the reader of a report, and would part equal reasons
        return type(error)(error.reason.replace(path, Path(path).name))


class Coming:
    """Vectors one by one that can be looked at ahead: each is read once, and no more is held."""

    def __init__(self, vectors: Iterable[Vector]) -> None:
        self._rest = iter(vectors)

    def __iter__(self) -> Iterator[Vector]:
        return self

    def __next__(self) -> Vector:
        return next(self._rest)

    def after(self, vector: Vector) -> Iterator[Vector]:
        """The vector, and all that come after it."""
        self._rest, ahead = tee(self._rest)
        return chain((vector,), ahead)


def _tell(suite: Suite, loaded: Loaded, coming: Iterable[Vector]) -> None:
    """Announce what the checks will ask, up to the next sweep."""
    if not isinstance(loaded, EngineError):
        able, near = loaded.info.capabilities, takewhile(lambda vector: vector.op != "sweep", coming)
        announce(loaded, (call for vector in near for call in suite.calls(able, vector)))


def _verdict(suite: Suite, engine: Engine, loaded: Loaded, vector: Vector, path: str) -> Verdict:
    if isinstance(loaded, UnavailableError):
        raise loaded
    # Of a file that a user names the engine itself says whether it reads it.
    own = not OWN_FILE.isdisjoint(vector.given)
    if own or path.endswith(".json"):
        name = format_of(vector) if own else "tokenizer.json"
        if name not in engine.info.formats:
            return verdict(engine.info, vector, suite.name, "unsupported", f"does not read {name}")
    if isinstance(loaded, EngineError):
        reason = f"cannot load the tokenizer: {loaded.reason}"
        return accepted(vector, verdict(engine.info, vector, suite.name, kind_of(loaded), reason))
    return suite.check(loaded, vector)


def _diagnosed(plan: Plan, loaded: Loaded, vector: Vector, found: Verdict) -> Verdict:
    """Asks the engine itself, not the timed one: what a diagnosis asks is no part of the run."""
    if found.kind != "diverge" or plan.diagnose is None or isinstance(loaded, EngineError):
        return found
    return plan.diagnose(loaded, vector, found)


def _not_run(suites: Sequence[Suite], engine: str, target: Target, reason: str) -> Iterator[NotRun]:
    for suite in suites:
        count = len(of_suite(target.vectors, suite.name, suite.applies))
        if count:
            yield NotRun(engine, target.name, suite.name, count, reason)
