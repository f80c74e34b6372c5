"""Latency: raw nanoseconds of single calls, and the numbers that are derived from them."""

from __future__ import annotations

import gc
import os
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .request import Timing

COLD = ("tokenizer.json", "mtok", "vocab.bin")  # formats whose cold start is set side by side
WARM = ("load", "encode-short", "encode-long", "decode", "lookup")
OPERATIONS = (*WARM, "start", *(f"cold-{name}" for name in COLD))
RANKS = (50, 90, 99)
#: What the calls of a series were given: each one something of its own, all the same, or the same in a
#: process that nothing had been asked of before.
DIFFERENT, SAME, FRESH = "different", "same", "fresh"


@dataclass(frozen=True)
class Series:
    """Every sample of one operation, in the order in which they were taken.

    Attributes:
        run: as in the request: samples of another run do not belong here.
        pid: of the process that took them, which is the one that ran the suites.
        engine, tokenizer: as in the results.
        operation: one of `OPERATIONS`.
        vector: id of the vector whose ids the digest is of, "" where there is none.
        digest: of the ids that the same session answered to the vector's text as soon as the samples had been
            taken (of a cold start: to the last sample), as the determinism suite takes it; "" where none are.
        inputs: `DIFFERENT`, `SAME` or `FRESH`.
        units: ids encoded or decoded, or drafts made, by all calls together.
        cpu: processor that it was pinned to, null where it was not.
        part: of that processor, as in the identity.
        seen: processors on which the process may run, as the kernel answered while the samples were taken.
        warmup: calls before the first sample.
        started_ns: by the clock of the conditions.
        ns: what each call took, in nanoseconds, by the caller's clock.
        short: it ended by time, before the number of samples that was asked for.
    """

    run: str
    pid: int
    engine: str
    tokenizer: str
    operation: str
    vector: str
    digest: str
    inputs: str
    units: int
    cpu: Optional[int]
    part: str
    seen: Tuple[int, ...]
    warmup: int
    started_ns: int
    short: bool
    ns: Tuple[int, ...] = field(repr=False)

    def to_json(self) -> Dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Taken:
    """The samples of one call, the units of all answers, and the last answer."""

    started_ns: int
    ns: Tuple[int, ...]
    short: bool
    units: int
    answer: Any = field(repr=False)


def take(
    call: Callable[[Any], Any],
    timing: Timing,
    given: Callable[[int], Any] = lambda _number: None,
    units: Callable[[Any], int] = lambda _answer: 1,
) -> Taken:
    """Call again and again, each one after the last has answered, until number and duration are reached.

    What a call is given is made before its time begins: by its number, below zero for the warm-up.
    """
    clock = time.perf_counter_ns
    taken: List[int] = []
    handled, answer = 0, None
    for number in range(timing.warmup):
        call(given(-1 - number))
    with _collector_resting():
        started = now = clock()
        least, most = started + int(timing.seconds * 1e9), started + int(timing.most_seconds * 1e9)
        while now < most and (len(taken) < timing.samples or now < least):
            one = given(len(taken))
            answer = None  # the last call's is given back before the next call's time begins
            before = clock()
            answer = call(one)
            now = clock()
            taken.append(now - before)
            handled += units(answer)
    return Taken(started, tuple(taken), len(taken) < timing.samples, handled, answer)


@contextmanager
def _collector_resting() -> Iterator[None]:
    """The collector of cycles belongs to the caller, not to the engine."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def nearest_rank(taken: Sequence[int], percent: int) -> int:
    """The smallest sample that `percent` of all samples do not exceed. ValueError without any."""
    if not taken:
        raise ValueError("a percentile of no samples")
    return sorted(taken)[max(0, -(-len(taken) * percent // 100) - 1)]


def derived(series: Mapping[str, Any]) -> Dict[str, int]:
    """What a report shows of a series (as JSON): count, total, percentiles, units in a second."""
    taken, total = series["ns"], sum(series["ns"])
    found = {"samples": len(taken), "total_ns": total, "max": max(taken), "min": min(taken)}
    found.update({f"p{rank}": nearest_rank(taken, rank) for rank in RANKS})
    found["units_per_second"] = int(series["units"]) * 10**9 // max(1, total)
    return found


def allowed() -> Tuple[int, ...]:
    """The processors on which this process may run."""
    return tuple(sorted(os.sched_getaffinity(0)))


def pin(cpus: Sequence[int]) -> Tuple[int, ...]:
    """Run on these processors only; those that the kernel then names. Raises OSError."""
    os.sched_setaffinity(0, cpus)
    return allowed()
