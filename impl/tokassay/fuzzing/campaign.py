"""A campaign: workers that may die, what they find, and a state that survives the campaign's own death."""

from __future__ import annotations

import multiprocessing
import random
import tempfile
import time
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

from tokassay.checks.engine import UnavailableError

from .storing import Finding, State, Store
from .target import TIMEOUT, Case, Found, Setting, Target
from .worker import Job, case_seed, work

SAVE_SECONDS = 0.9
MOST_RESTARTS = 200
START_SECONDS = 300.0  # loading every tokenizer of a target


@dataclass(frozen=True)
class Plan:
    """What to run, and for how long: `seconds`, `count` cases in all, or until interrupted.

    With `files`, what another fuzzer has stored, the cases are these; the state on disk is not touched.
    """

    target: str
    setting: Setting
    seed: int = 1
    workers: int = 1
    seconds: Optional[float] = None
    count: Optional[int] = None
    case_seconds: float = 10.0
    shrink_seconds: float = 5.0
    files: Tuple[str, ...] = ()


@dataclass
class Progress:
    """Where a campaign is, for whoever shows it."""

    execs: int = 0
    seconds: float = 0.0
    findings: int = 0
    corpus: int = 0
    restarts: int = 0

    @property
    def line(self) -> str:
        rate = self.execs / self.seconds if self.seconds else 0.0
        return (
            f"{self.seconds:.0f} s, {self.execs:,} execs, {rate:,.0f}/s, {self.findings} unique findings, "
            f"corpus {self.corpus:,}" + (f", {self.restarts} restarts" if self.restarts else "")
        )


@dataclass
class _Worker:
    number: int
    job: Job
    process: Any
    pipe: Any
    place: Any
    seen: int = -1
    since: float = 0.0
    ready: bool = False
    done: bool = False
    open: bool = True
    counts: Dict[str, int] = field(default_factory=dict)


class Campaign:
    """Runs a plan, and writes what it finds into a store."""

    def __init__(
        self, plan: Plan, store: Store, say: Callable[[Progress], None], *, resume: bool = False
    ) -> None:
        self.plan, self.store, self.say = plan, store, say
        self.context = multiprocessing.get_context("spawn")
        self.progress = Progress(findings=len(store.findings))
        self.state = self._state(resume=resume)
        self.progress.execs, self.before = self.state.execs, self.state.seconds
        self.ran = 0
        self.counts: Dict[str, int] = dict(self.state.counts)

    def _state(self, *, resume: bool) -> State:
        plan, found = self.plan, self.store.state() if resume else None
        if found is not None and (found.target, found.engine, found.seed, found.workers) == (
            plan.target,
            plan.setting.engine,
            plan.seed,
            plan.workers,
        ):
            return found
        return State(plan.target, plan.setting.engine, plan.seed, plan.workers, list(range(plan.workers)))

    def run(self) -> Progress:
        """Until the plan is done. Raises UnavailableError where no worker can start, or all keep dying."""
        self.started = self.saved = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tokassay-fuzz-") as scratch:
            self.setting = replace(self.plan.setting, scratch=scratch)
            self.workers = [self._start(number) for number in range(self.plan.workers)]
            try:
                while not self._is_over():
                    self._listen()
                    self._watch()
                    self._save(force=False)
            finally:
                self._stop()
                self._save(force=True)
        return self.progress

    def _is_over(self) -> bool:
        if all(worker.done for worker in self.workers):
            return True
        limit = self.plan.seconds
        return (
            limit is not None
            and time.monotonic() - self.started >= limit
            and all(worker.ready or worker.done for worker in self.workers)
            and bool(self.ran or self.progress.restarts)  # a short budget is no pass without a case
        )

    def _start(self, number: int, skipped: Tuple[int, ...] = ()) -> _Worker:
        plan, place = self.plan, self.context.RawArray("q", (-1, -1))
        here, there = self.context.Pipe(duplex=False)
        start = self.state.next[number]
        budget = (plan.seed, start, plan.workers, plan.count, plan.shrink_seconds)
        job = Job(plan.target, self.setting, *budget, files=plan.files, skipped=skipped)
        process = self.context.Process(target=work, args=(job, there, place), daemon=True)
        process.start()
        there.close()
        return _Worker(number, job, process, here, place, since=time.monotonic())

    # -- what workers say ------------------------------------------------------------------------------

    def _listen(self) -> None:
        open_pipes = {worker.pipe: worker for worker in self.workers if worker.open}
        ready: List[Any] = list(wait(list(open_pipes), timeout=0.1))
        for pipe in ready:
            worker = open_pipes[pipe]
            try:
                while pipe.poll():
                    self._hear(worker, pipe.recv())
            except (EOFError, OSError):
                worker.open = False

    def _hear(self, worker: _Worker, message: Any) -> None:
        kind = message[0]
        if kind == "ready":
            worker.ready, worker.since = True, time.monotonic()
        elif kind == "progress":
            _, self.state.next[worker.number], execs, counts = message
            self.state.execs += execs
            self.progress.execs += execs
            self.ran += execs
            worker.counts = counts
            self._show()
        elif kind in ("found", "small"):
            self._keep(*message[1:])
        elif kind == "unavailable":
            raise UnavailableError(message[1])
        elif kind == "done":
            worker.done = True

    def _show(self) -> None:
        self.progress.seconds = self.before + time.monotonic() - self.started
        self.progress.findings = len(self.store.findings)
        self.say(self.progress)

    def _keep(self, index: int, case: Any, found: Found) -> None:
        setting = self.plan.setting
        finding = Finding(
            self.plan.target, setting.engine, setting.witness, self.plan.seed, index, case, found
        )
        self.store.keep(finding)

    # -- workers that die ------------------------------------------------------------------------------

    def _watch(self) -> None:
        for worker in list(self.workers):
            if worker.done:
                continue
            if not worker.process.is_alive() and not worker.open:
                self._lost(worker, "crash", f"exit code {worker.process.exitcode}")
            elif self._is_stuck(worker):
                worker.process.kill()
                self._lost(worker, TIMEOUT, f"no answer within {self.plan.case_seconds:g} s")

    def _is_stuck(self, worker: _Worker) -> bool:
        now, here = time.monotonic(), int(worker.place[0])
        if here != worker.seen:
            worker.seen, worker.since = here, now
            return False
        limit = self.plan.case_seconds + self.plan.shrink_seconds * 1.5 if worker.ready else START_SECONDS
        return now - worker.since > limit

    def _lost(self, worker: _Worker, kind: str, reason: str) -> None:
        """The case that the worker died on is a finding; another worker tries the others of its batch."""
        index = int(worker.place[0])
        self.progress.restarts += 1
        worker.process.join(5)
        worker.pipe.close()
        if index < 0 or self.progress.restarts > MOST_RESTARTS:
            raise UnavailableError(f"a worker ended before its first case, or too many did: {reason}")
        case = self._drawn(index)
        self._keep(index, case, Found("answer", kind, reason))
        self.state.next[worker.number] = max(int(worker.place[1]), self.state.next[worker.number])
        self._merge_counts(worker)
        lost = self._start(worker.number, (*worker.job.skipped, index))
        self.workers[self.workers.index(worker)] = lost

    def _drawn(self, index: int) -> Any:
        """The case of a number; drawn without asking any engine."""
        files, own = self.plan.files, self.plan.setting.tokenizers
        known = {"tokenizers": list(own)} if own else {}
        if files:
            return {"index": index, "bytes": Path(files[index]).read_bytes().hex(), **known}
        return {"index": index, "seed": case_seed(self.plan.seed, index), **known}

    def _merge_counts(self, worker: _Worker) -> None:
        for signature, count in worker.counts.items():
            self.counts[signature] = self.counts.get(signature, 0) + count
        worker.counts = {}

    def _stop(self) -> None:
        for worker in self.workers:
            self._merge_counts(worker)
            worker.process.kill()
        for worker in self.workers:
            worker.process.join(5)
            worker.pipe.close()

    def _save(self, *, force: bool) -> None:
        now = time.monotonic()
        if not force and now - self.saved < SAVE_SECONDS:
            return
        self.saved = now
        self.state.seconds = self.before + now - self.started
        self.progress.seconds = self.state.seconds
        corpus = self.store.folder / "corpus"
        self.progress.corpus = sum(1 for _ in corpus.iterdir()) if corpus.is_dir() else 0
        self.state.counts = dict(self.counts)
        if not self.plan.files:
            self.store.save(self.state)


def seeded(target: Target, number: int) -> Case:
    """The case that is drawn from a number (`worker.case_seed`)."""
    return target.draw(random.Random(number))  # noqa: S311 - reproducible, not secret


__all__ = ["Campaign", "Plan", "Progress", "seeded"]
