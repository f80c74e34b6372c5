"""The cells of a plan on several processors, for engines that live in this process.

Events come in the order of the plan, whatever finishes first, so a report does not depend on the number
of processes. A native engine that is kept in a child gets one from each of them; what is a process of the
user's own is not started several times: then everything runs as it comes.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import tempfile
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Dict, Iterator, Tuple

from tokassay import engines
from tokassay.checks.engine import Engine, UnavailableError
from tokassay.checks.stored import of_suite
from tokassay.engines.wire import WireEngine
from tokassay.verdicts.driver import Plan, run_plan_body, run_target
from tokassay.verdicts.events import EngineDown, Event, NotRun

BATCH = 256  # events that are written at a time
Task = Tuple[int, int]  # target, engine
_PLANS: Dict[str, Plan] = {}  # inherited by the forked workers; a plan is too large to send


def processors() -> int:
    """How many processors this process may use, at most four (each worker holds tokenizers)."""
    return min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


def can_spread(plan: Plan) -> bool:
    """Whether every engine can live in this process (a child keeps it out), and the system can fork."""
    known = engines.adapters()
    inside = all(getattr(known.get(one.info.name), "IN_PROCESS", False) for one in plan.engines)
    return inside and "fork" in multiprocessing.get_all_start_methods()


def spread(plan: Plan, jobs: int) -> Iterator[Event]:
    """The events between header and footer, computed by `jobs` processes."""
    yield from run_plan_body(replace(plan, targets=()))  # what is down or broken from the start
    tasks = [(t, e) for t in range(len(plan.targets)) for e in range(len(plan.engines))]
    _PLANS["this"] = plan
    fork = multiprocessing.get_context("fork")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tokassay-run-") as folder,
            ProcessPoolExecutor(jobs, mp_context=fork) as pool,
        ):
            for task, future in [(task, pool.submit(_cell, task, folder)) for task in tasks]:
                yield from _events(plan, task, future)
    finally:
        del _PLANS["this"]


def _cell(task: Task, folder: str) -> str:
    """Runs a cell; its events lie in a file, for there may be more than memory should hold."""
    path, events = Path(folder) / "-".join(map(str, task)), _run(task)
    with path.open("wb") as file:
        for batch in iter(lambda: list(islice(events, BATCH)), []):
            pickle.dump(batch, file, pickle.HIGHEST_PROTOCOL)
    return str(path)


def _run(task: Task) -> Iterator[Event]:
    plan = _PLANS["this"]
    try:
        engine = _own(task[1])
    except UnavailableError as error:  # it started once, and does not again
        yield from _lost(plan, task, error.reason, error.reason)
    else:
        yield from run_target(plan, engine, plan.targets[task[0]])


def _stored(path: Path) -> Iterator[Event]:
    with path.open("rb") as file:
        while file.peek(1):
            yield from pickle.load(file)  # noqa: S301 - our own worker wrote it
    path.unlink()


@cache
def _own(number: int) -> Engine:
    """An engine of the plan for this worker: a child of another process cannot be shared."""
    engine = _PLANS["this"].engines[number]
    return engine.again() if isinstance(engine, WireEngine) else engine


def _events(plan: Plan, task: Task, future: Future[str]) -> Iterator[Event]:
    try:
        path = Path(future.result())
    except BrokenProcessPool:
        reason = "a process died; with --jobs 1 it dies in the open"
        where = f"{reason} (tokenizer {plan.targets[task[0]].name} or one near it)"
        yield from _lost(plan, task, where, reason)
    else:
        yield from _stored(path)


def _lost(plan: Plan, task: Task, down: str, reason: str) -> Iterator[Event]:
    """A cell whose engine is gone: `down` is said of the engine, `reason` of what was not run."""
    engine, target = plan.engines[task[1]].info.name, plan.targets[task[0]]
    yield EngineDown(engine, down)
    for suite in plan.suites:
        count = len(of_suite(target.vectors, suite.name, suite.applies))
        yield NotRun(engine, target.name, suite.name, count, reason)
