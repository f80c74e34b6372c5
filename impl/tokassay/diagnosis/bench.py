"""An engine and the oracle side by side on one tokenizer file: does a question still fail?"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Callable, Optional, Sequence

from tokassay import engines
from tokassay.checks.engine import Engine, EngineError, Session, UnavailableError
from tokassay.checks.judging import ask, kind_of
from tokassay.checks.verdict import Comparable, Difference
from tokassay.verdicts.stages import first_difference

from .explaining import Cause, alike, suspects
from .question import Question
from .shrink import shrink

WITNESSES = ("hf", "reference")  # who can tell what is right; the oracle first
FEW = 60  # questions where each failure costs a restart


@lru_cache(maxsize=4)
def witness_engine(name: str) -> Engine:
    return engines.open(name)


def witness(path: str, under_test: str) -> Optional[Session]:
    """The oracle on a file, else the reference; never the engine under test itself."""
    for name in WITNESSES:
        if name != under_test:
            try:
                return ask(witness_engine(name).load, path)
            except EngineError:  # not installed, or it cannot load this file: ask the next one
                continue
    return None


@dataclass(frozen=True)
class Failure:
    """How a question fails: verdict kind, and both answers or the reason."""

    kind: str
    difference: Optional[Difference] = None
    reason: str = ""


@dataclass(frozen=True)
class Clock:
    """Time for one finding, in seconds."""

    until: float

    @classmethod
    def of(cls, seconds: float) -> Clock:
        return cls(time.monotonic() + seconds)

    def in_time(self) -> bool:
        return time.monotonic() < self.until


@dataclass(frozen=True)
class Bench:
    """Two sessions on the same file; `path` is the oracle's, of which the engine may have an export."""

    path: str
    engine: Session
    oracle: Session

    @property
    def exported(self) -> bool:
        return self.engine.path != self.path

    @classmethod
    def of(cls, engine: Engine, path: str, original: Optional[str] = None) -> Optional[Bench]:
        """None where one of the two cannot load its file. Raises UnavailableError."""
        right = original or path
        oracle = witness(right, engine.info.name if right == path else "")
        if oracle is None:
            return None
        try:
            return cls(right, ask(engine.load, path), oracle)
        except UnavailableError:
            raise
        except EngineError:
            return None

    def failure(self, question: Question) -> Optional[Failure]:
        """How the engine fails now; None when it does not, or the oracle fails as well."""
        able = self.engine.info.capabilities
        asked = question
        if question.encodes and "add_special" not in able:
            asked = replace(question, special=False)
        try:
            expected = asked.ask(self.oracle)
        except EngineError:
            return None
        try:
            got = asked.ask(self.engine)
        except UnavailableError:
            raise
        except EngineError as error:
            return Failure(kind_of(error), None, error.reason)
        if alike(expected, got):
            return None
        return Failure("diverge", Difference(asked.named, _plain(expected), _plain(got)))

    def answers_like(self, cause: Cause, question: Question, got: Comparable) -> bool:
        """Whether the altered reference that stands for the cause gives this answer."""
        return any(
            suspect.cause == cause and (answer := suspect.answer(question)) is not None and alike(answer, got)
            for suspect in suspects(self.path)
        )

    def account(self, question: Question) -> str:
        """The first stage at which the two part, with both sides; "" where one of them cannot tell."""
        sessions = (self.oracle, self.engine)
        if not question.encodes or any("stages" not in one.info.capabilities for one in sessions):
            return ""
        try:
            return first_difference(*(ask(one.stages, question.text) for one in sessions))
        except UnavailableError:
            raise
        except EngineError:
            return ""


def _plain(answer: Comparable) -> Comparable:
    return answer if isinstance(answer, (str, bytes)) else [_item(item) for item in answer]


def _item(item: object) -> object:
    return list(item) if isinstance(item, tuple) else item


def smaller(
    bench: Bench, question: Question, failure: Failure, cause: Optional[Cause], clock: Clock
) -> Question:
    """The question with as little input as fails in the same way."""

    def fails(given: Sequence[object]) -> bool:
        return same(bench, question.with_input(given), failure, cause)

    tries = FEW if failure.kind in ("crash", "timeout") else 4000
    return question.with_input(shrink(question.input, fails, tries, clock.in_time))


def same(bench: Bench, question: Question, failure: Failure, cause: Optional[Cause]) -> bool:
    """Whether a question fails as another did, for the same cause where that is known."""
    now = bench.failure(question)
    if now is None or now.kind != failure.kind:
        return False
    if cause is None or not cause.code or now.difference is None:
        return True
    return bench.answers_like(cause, question, now.difference.got)


Say = Callable[[str], None]
