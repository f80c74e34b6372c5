"""One process of a campaign: draws cases, checks them, reports. It may be killed at any time."""

from __future__ import annotations

import os
import random
import signal
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Tuple

from tokassay.checks.engine import UnavailableError

from .batches import Batched, next_size
from .smaller import smaller
from .target import Case, Found, Setting, Target, programs

REPORT_SECONDS = 0.25
MOST_ALIKE = 3  # findings of one signature that a worker tells; the others are counted
MOST_SHRUNK = 40


@dataclass(frozen=True)
class Job:
    """Cases `start`, `start` + `step`, ... below `end`; `end` None: until told to stop.

    They are drawn, or where there are `files` what the bytes of each stand for. `skipped`: an earlier worker
    died of these.
    """

    target: str
    setting: Setting
    seed: int
    start: int
    step: int
    end: Optional[int] = None
    shrink_seconds: float = 5.0
    quiet: bool = True
    files: Tuple[str, ...] = ()
    skipped: Tuple[int, ...] = ()


def case_seed(seed: int, index: int) -> int:
    """The number that case `index` of a campaign is drawn from."""
    return seed << 64 | index


def work(job: Job, pipe: Any, place: Any) -> None:
    """Run a job. `place` always holds two numbers: the case that is being asked, and the first of its batch.

    Messages: ("ready",), ("progress", next, execs, counts), ("found", index, case, found),
    ("small", index, case, found), ("unavailable", reason), ("done",).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers
    if job.quiet:
        os.environ["RUST_BACKTRACE"] = "0"  # nobody sees them, and each costs the time of many cases
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what native engines print when they panic
    try:
        target = programs()[job.target].open(job.setting)
    except (UnavailableError, ValueError) as error:
        pipe.send(("unavailable", str(error)))
        return
    pipe.send(("ready",))
    _Loop(job, target, pipe, place).run()


def tried(check: Callable[[Case], Optional[Found]], case: Case) -> Optional[Found]:
    """What a check finds; an exception of its own is a finding, too."""
    try:
        return check(case)
    except (KeyboardInterrupt, SystemExit, MemoryError, UnavailableError):
        raise
    except Exception as error:  # noqa: BLE001 - anything may come out of what is under test
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {Path(last.filename).name}: {last.name}"
        return Found("answer", "error", where, None, str(error)[:500])


class _Loop:
    def __init__(self, job: Job, target: Target, pipe: Any, place: Any) -> None:
        self.job, self.target, self.pipe, self.place = job, target, pipe, place
        self.counts: Counter[str] = Counter()
        self.case_of = self._source()
        self.batched = target if isinstance(target, Batched) else None
        self.shrunk = 0

    def run(self) -> None:
        """Until the end, or until the parent has gone."""
        job, index, done, size = self.job, self.job.start, 0, 1
        due = time.monotonic() + REPORT_SECONDS
        while job.end is None or index < job.end:
            numbers = range(index, index + size * job.step, job.step)
            numbers = numbers if job.end is None else range(index, min(numbers.stop, job.end), job.step)
            began = time.monotonic()
            done += self._check(numbers)
            index, now = numbers[-1] + job.step, time.monotonic()
            size = next_size(size, now - began) if self.batched else 1
            if now >= due:
                self.pipe.send(("progress", index, done, dict(self.counts)))
                done, due = 0, now + REPORT_SECONDS
        self.pipe.send(("progress", index, done, dict(self.counts)))
        self.pipe.send(("done",))

    def _check(self, numbers: Sequence[int]) -> int:
        """How many cases were tried."""
        self.place[1] = numbers[0]
        cases = list(self._cases(numbers))
        for (index, case), found in zip(cases, self._found(cases)):
            if found is not None:
                self._tell(index, case, found)
        return len(cases)

    def _cases(self, numbers: Iterable[int]) -> Iterator[Tuple[int, Case]]:
        for index in numbers:
            if index not in self.job.skipped:
                self.place[0] = index
                yield index, self.case_of(index)

    def _found(self, cases: List[Tuple[int, Case]]) -> Iterable[Optional[Found]]:
        if self.batched is None:
            return [tried(self.target.check, case) for _, case in cases]

        def at(number: int) -> None:
            self.place[0] = cases[number][0]

        return self.batched.check_all([case for _, case in cases], at)

    def _source(self) -> Callable[[int], Case]:
        """From the number of a case to the case."""
        job, draw, chance = self.job, self.target.draw, random.Random(0)  # noqa: S311 - reproducible, not secret
        if job.files:
            program = programs()[job.target]
            return lambda index: program.case_of(self.target, Path(job.files[index]).read_bytes())

        def drawn(index: int) -> Case:
            chance.seed(case_seed(job.seed, index))
            return draw(chance)

        return drawn

    def _tell(self, index: int, case: Any, found: Found) -> None:
        """The case as it is first: making it small may be the end of this process."""
        self.place[0] = index
        self.counts[found.signature] += 1
        if self.counts[found.signature] > MOST_ALIKE:
            return
        self.pipe.send(("found", index, case, found))
        if self.shrunk < MOST_SHRUNK:
            self.shrunk += 1
            self.pipe.send(("small", index, *smaller(self.target, case, found, self.job.shrink_seconds)))
