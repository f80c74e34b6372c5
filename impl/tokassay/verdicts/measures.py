"""What a run measures on the way: which clauses were tried, and how long the engine's calls took."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import (
    Any,
    Callable,
    DefaultDict,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Protocol,
    Tuple,
    runtime_checkable,
)

from tokassay.checks.calls import Foresighted
from tokassay.checks.engine import Session
from tokassay.checks.vector import Vector
from tokassay.checks.verdict import FAILURES, TRIED, Verdict

from .events import Measured

#: Methods of a session whose calls are timed.
TIMED = ("encode", "encode_limited", "encode_batch_limited", "encode_bytes", "decode", "decode_bytes")
#: The first checks of a suite are all timed, later ones now and then: the clock must not slow a fast engine.
ALL_OF, EVERY = 100, 8
Histogram = Dict[int, int]  # bucket → calls


def is_timed(number: int) -> bool:
    """Whether the calls of the check of this number in its suite are timed."""
    return number < ALL_OF or number % EVERY == 0


@runtime_checkable
class SelfTimed(Protocol):
    """A session whose engine tells itself how long it took."""

    @property
    def taken(self) -> Mapping[str, Mapping[int, int]]:
        """Operation → bucket → calls."""
        ...


def bucket(nanoseconds: int) -> int:
    """The bucket of a duration: eight to each power of two, so that its width is at most an eighth."""
    shift = max(0, nanoseconds.bit_length() - 4)
    return (shift << 3) + (nanoseconds >> shift)


def bounds(index: int) -> Tuple[int, int]:
    """The shortest duration in a bucket, and the first one beyond it, in nanoseconds."""
    shift = max(0, (index >> 3) - 1)
    lower = index - (shift << 3)
    return lower << shift, (lower + 1) << shift


@dataclass
class Measures:
    """Kept while one engine runs on one tokenizer. Mutable on purpose."""

    judged: Dict[Tuple[Tuple[str, ...], str], int] = field(default_factory=dict)  # clauses, kind → verdicts
    calls: Dict[str, Histogram] = field(default_factory=dict)
    told: List[Mapping[str, Mapping[int, int]]] = field(default_factory=list)

    def add(self, vector: Vector, verdict: Verdict) -> None:
        """Count a verdict for every clause that its vector is about."""
        key = (vector.clauses, verdict.kind)
        self.judged[key] = self.judged.get(key, 0) + 1

    def timed(self, session: Session) -> Session:
        """The session with its calls timed; as it is where it is asked ahead: there a wait says nothing.

        Behind a pipe an engine may tell itself how long it took.
        """
        if isinstance(session, SelfTimed):
            self.told.append(session.taken)
        return session if isinstance(session, Foresighted) else TimedSession(session, self.calls)

    def event(self, engine: str, tokenizer: str) -> Optional[Measured]:
        """What was measured, or None for nothing."""
        calls = _added([self.calls, *self.told])
        clauses = self._clauses()
        if not clauses and not calls:
            return None
        shown = {
            name: {str(index): count for index, count in sorted(found.items())}
            for name, found in calls.items()
        }
        return Measured(engine, tokenizer, clauses, shown)

    def _clauses(self) -> Dict[str, Tuple[int, ...]]:
        found: DefaultDict[str, List[int]] = defaultdict(lambda: [0, 0, 0])
        for (clauses, kind), count in self.judged.items():
            for clause in clauses:
                for place, counts in enumerate((True, kind in TRIED, kind in FAILURES)):
                    found[clause][place] += count * counts
        return {name: tuple(found[name]) for name in sorted(found)}


def _added(parts: Iterable[Mapping[str, Mapping[int, int]]]) -> Mapping[str, Histogram]:
    """The sum of several measurements, without operations that were never called."""
    total: Dict[str, Histogram] = {}
    for name, histogram in (item for part in parts for item in part.items() if item[1]):
        found = total.setdefault(name, {})
        for index, count in histogram.items():
            found[index] = found.get(index, 0) + count
    return total


class TimedSession:
    """A session in front of another one. A call that fails is not counted."""

    def __init__(self, session: Session, calls: Dict[str, Histogram]) -> None:
        self._session = session
        self.info, self.path = session.info, session.path
        for name in TIMED:
            method = getattr(session, name, None)
            if method is not None:
                setattr(self, name, _timed(method, calls.setdefault(name, {})))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


def _timed(call: Callable[..., Any], histogram: Histogram) -> Callable[..., Any]:
    clock = time.perf_counter_ns

    def timed(*arguments: Any, **options: Any) -> Any:
        started = clock()
        answer = call(*arguments, **options)
        index = bucket(clock() - started)
        histogram[index] = histogram.get(index, 0) + 1
        return answer

    return timed
