"""The cells of a plan on several processors, for engines that live in this process.

Events come in the order of the plan, whatever finishes first, so a report does not depend on the number
of processes. A native engine that is kept in a child gets one from each of them; what is a process of the
user's own is not started several times: then everything runs as it comes.
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cache
from typing import Dict, Iterator, List, Tuple

from tokassay import engines
from tokassay.checks.engine import Engine
from tokassay.checks.stored import of_suite
from tokassay.engines.wire import WireEngine
from tokassay.verdicts.driver import Plan, run_plan_body, run_target
from tokassay.verdicts.events import EngineDown, Event, NotRun

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
    try:
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
            for task, future in [(task, pool.submit(_cell, task)) for task in tasks]:
                yield from _events(plan, task, future)
    finally:
        del _PLANS["this"]


def _cell(task: Task) -> List[Event]:
    plan, (target, engine) = _PLANS["this"], task
    return list(run_target(plan, _own(engine), plan.targets[target]))


@cache
def _own(number: int) -> Engine:
    """An engine of the plan for this worker: a child of another process cannot be shared."""
    engine = _PLANS["this"].engines[number]
    return engine.again() if isinstance(engine, WireEngine) else engine


def _events(plan: Plan, task: Task, future: Future[List[Event]]) -> Iterator[Event]:
    try:
        yield from future.result()
    except BrokenProcessPool:
        engine, target = plan.engines[task[1]].info.name, plan.targets[task[0]]
        reason = "a process died; with --jobs 1 it dies in the open"
        yield EngineDown(engine, f"{reason} (tokenizer {target.name} or one near it)")
        for suite in plan.suites:
            count = len(of_suite(target.vectors, suite.name, suite.applies))
            yield NotRun(engine, target.name, suite.name, count, reason)
