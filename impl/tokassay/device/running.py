"""A whole run on a board: suites, samples and conditions into an evidence folder."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any, Callable, Dict, Iterator, List, Mapping, Sequence, Tuple

from tokassay.checks import determinism
from tokassay.checks.engine import Engine, EngineError, UnavailableError
from tokassay.checks.naming import distinct
from tokassay.checks.vector import INLINE
from tokassay.core.errors import FormatError
from tokassay.verdicts.driver import Plan, Target
from tokassay.verdicts.driver import run as run_plan
from tokassay.verdicts.events import Event, Footer, Tally, to_json
from tokassay.verdicts.exit_code import ENGINE_DOWN, SUITE_BROKEN

from . import asked, cold, folder, identity
from .conditions import Snapshot, Watch
from .cores import Core, cores, pinned, shown
from .folder import Outcome, sha256_of
from .making import compiled
from .memory import Memory, cpu_seconds, give_back, seldom_collected
from .request import Request
from .samples import Series
from .timing import Bench

Opener = Callable[[str, float], Engine]
"""An address, and for how many seconds a case may go on, to the engine. Raises UnavailableError."""
WATCH_SECONDS, PROGRESS_SECONDS = 5.0, 1.0
RESERVE = ".reserve"  # given back when the disk is full, so that the outcome can still be told
RESERVE_BYTES = 1 << 16


@dataclass(frozen=True)
class Place:
    """Where a run happens.

    Attributes:
        folder: the evidence folder.
        data: folders with ``golden/``: the bundle's, and the archive's where there is one.
        bundle: the bundle's file.
        inputs: other files that take part → sha256, taken on the board.
        root: below which ``/proc`` and ``/sys`` are read.
    """

    folder: Path
    data: Tuple[Path, ...]
    bundle: Path
    inputs: Mapping[str, str] = field(default_factory=dict)
    root: Path = Path("/")


def run(place: Place, request: Request, open_engine: Opener) -> Outcome:
    """Everything that was asked for. The outcome is written last, whatever happened before."""
    started, clock, used = time.gmtime(), time.monotonic(), cpu_seconds()
    (place.folder / RESERVE).write_bytes(b"\0" * RESERVE_BYTES)
    memory = Memory()
    with seldom_collected():
        code, reason = _guarded(place, request, open_engine, memory)
    memory.look()
    (place.folder / RESERVE).unlink()
    sys.stdout.flush()
    sys.stderr.flush()
    outcome = Outcome(
        run=request.run,
        nonce=request.nonce,
        exit_code=code,
        reason=reason,
        started=_iso(started),
        finished=_iso(time.gmtime()),
        seconds=round(time.monotonic() - clock, 3),
        cpu_seconds=round(cpu_seconds() - used, 3),
        boot_id=identity.boot_id(place.root) or "",
        pid=os.getpid(),
        peak_kib=memory.own_kib,
        children_kib=memory.children_kib,
        together_kib=memory.together_kib,
        files=_digests(place.folder),
        inputs={"bundle": sha256_of(place.bundle), **place.inputs},
    )
    folder.write_json(place.folder / folder.OUTCOME, outcome)
    return outcome


def _iso(moment: time.struct_time) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)


def _digests(path: Path) -> Dict[str, str]:
    return {name: sha256_of(path / name) for name in folder.BOARD_FILES if (path / name).is_file()}


def _guarded(place: Place, request: Request, open_engine: Opener, memory: Memory) -> Tuple[int, str]:
    try:
        return _run(place, request, open_engine, memory), ""
    except (asked.RequestError, FormatError) as error:
        return SUITE_BROKEN, str(error)
    except OSError as error:  # a full disk, a read-only file system
        return ENGINE_DOWN, f"{error.strerror or error}: {error.filename or 'the evidence folder'}"
    except Exception as error:  # noqa: BLE001 - nothing may keep the outcome from being written
        traceback.print_exc()
        return SUITE_BROKEN, f"{type(error).__name__}: {error}"


def _run(place: Place, request: Request, open_engine: Opener, memory: Memory) -> int:
    found = identity.collect(place.root)
    folder.write_json(place.folder / folder.IDENTITY, found)
    facts: Dict[str, Any] = {"ids": []}
    codes: List[int] = []
    plan = asked.plan(request, place.data, (), {})
    with _lines(place, folder.CONDITIONS) as conditions, _lines(place, folder.SAMPLES) as samples:

        def note(moment: Snapshot) -> None:
            _put(conditions, moment.to_json())
            memory.look()

        with Watch(note, WATCH_SECONDS, place.root):
            for core in cores(found.cpus, _allowed()):
                stage = _Stage(place, request, *pinned(core), memory.look)
                codes.append(_on_core(stage, plan, _opened(request, open_engine), facts, samples))
    folder.write_json(place.folder / folder.FACTS, facts)
    return codes[0]


def _on_core(stage: _Stage, common: Plan, engines: _Engines, facts: Dict[str, Any], samples: IO[str]) -> int:
    """The exit code of the suites, which run on the first core. The vectors are read once for all cores."""
    plan = replace(common, engines=engines.opened, down=engines.down)
    if facts["ids"]:
        code, ids = 0, stage.again(plan)
    else:
        facts["compiled"] = _compiled(stage.place, plan)
        code, ids = stage.suites(plan)
    facts["ids"].append({**shown(stage.core), "ids": ids})
    for line in stage.samples(plan, engines.starts):
        _put(samples, line)
    return code


def _allowed() -> Tuple[int, ...]:
    return tuple(sorted(os.sched_getaffinity(0)))


def _lines(place: Place, name: str) -> IO[str]:
    return open(place.folder / name, "w", encoding="ascii", buffering=1)  # noqa: PTH123


def _put(file: IO[str], value: Mapping[str, Any]) -> None:
    file.write(json.dumps(value, separators=(",", ":")) + "\n")


@dataclass(frozen=True)
class _Engines:
    """`down`: address → why not. `starts`: name → how it starts in a process of its own."""

    opened: Sequence[Engine]
    down: Mapping[str, str]
    starts: Mapping[str, cold.Start]


def _opened(request: Request, open_engine: Opener) -> _Engines:
    """Engines of one name go by their addresses."""
    found: Dict[str, Engine] = {}
    down: Dict[str, str] = {}
    for address in request.engines:
        try:
            found[address] = open_engine(address, request.seconds)
        except UnavailableError as error:  # noqa: PERF203 - each engine by itself
            down[address] = str(error)
    opened = distinct(found)
    starts = {
        engine.info.name: partial(open_engine, cold.address(found[address], address), request.seconds)
        for engine, address in zip(opened, found)
    }
    return _Engines(opened, down, starts)


def _compiled(place: Place, plan: Plan) -> Dict[str, Any]:
    files = {name: path for data in place.data for name, path in asked.tokenizer_files(data).items()}
    return compiled(files, [target.name for target in plan.targets if target.name in files])


@dataclass(frozen=True)
class _Stage:
    """The part of a run that is pinned to one core. `look`: called before a process ends."""

    place: Place
    request: Request
    core: Core
    seen: Tuple[int, ...]
    look: Callable[[], None]

    def suites(self, plan: Plan) -> Tuple[int, Mapping[str, Any]]:
        """Every event into the results; exit code and ids as the footer has them."""
        footer = Footer({}, 0, SUITE_BROKEN)
        progress = _Progress(self.place.folder / folder.PROGRESS, sum(len(t.vectors) for t in plan.targets))
        with _lines(self.place, folder.RESULTS) as results:
            for event in run_plan(plan):
                results.write(to_json(event) + "\n")
                progress.add(event)
                footer = event if isinstance(event, Footer) else footer
        return footer.exit_code, footer.ids

    def again(self, plan: Plan) -> Mapping[str, Any]:
        """The ids of the determinism suite on another core; none where that suite was not asked for."""
        chosen = [suite for suite in plan.suites if suite.name == determinism.SUITE]
        tally = Tally()
        once_more = Plan(plan.version, plan.engines, plan.targets, chosen, plan.levels)
        for event in run_plan(once_more) if chosen else ():
            tally.add(event)
        return tally.ids()

    def samples(self, plan: Plan, starts: Mapping[str, cold.Start]) -> Iterator[Mapping[str, Any]]:
        """The series of each engine on each tokenizer; what an engine cannot do is told in the transcript."""
        if self.request.timing is None:
            return
        bench = Bench(self.request, self.request.timing, os.getpid(), self.core, self.seen, self.look)
        targets = _timed(self.request, plan)
        for engine in plan.engines:
            start = starts[engine.info.name]
            for target in targets:
                give_back()
                yield from _told(engine, target, bench.series(engine, target, start))
            for target in targets[:1]:
                yield from _told(engine, target, bench.starts(engine, target, start))


def _timed(request: Request, plan: Plan) -> Sequence[Target]:
    """Those whose latency is to be measured."""
    known = [target for target in plan.targets if target.name != INLINE and target.path is not None]
    return [target for target in known if not request.timed or target.name in request.timed]


def _told(engine: Engine, target: Target, series: Iterator[Series]) -> Iterator[Mapping[str, Any]]:
    try:
        for one in series:
            yield one.to_json()
    except (EngineError, NotImplementedError) as error:
        print(f"no samples: {engine.info.name} / {target.name}: {error}", file=sys.stderr)  # noqa: T201


class _Progress:
    """How far the suites are, in a file that a controller reads."""

    def __init__(self, path: Path, vectors: int) -> None:
        self.path, self.vectors, self.tally, self.last, self.verdicts = path, vectors, Tally(), 0.0, 0

    def add(self, event: Event) -> None:
        self.tally.add(event)
        self.verdicts += 1
        if time.monotonic() - self.last > PROGRESS_SECONDS or isinstance(event, Footer):
            self.last = time.monotonic()
            told = {"events": self.verdicts, "vectors": self.vectors, "counts": self.tally.counts}
            self.path.write_text(json.dumps(told) + "\n", "ascii")


__all__ = ["Opener", "Outcome", "Place", "Snapshot", "run"]
