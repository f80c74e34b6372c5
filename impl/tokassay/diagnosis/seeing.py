"""What a finding shows of a failing question, made small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from tokassay.verdicts.stages import stage_name

from .bench import Bench, Clock, Failure, smaller
from .characters import at_fault
from .explaining import Cause
from .question import Question

NO_TEXT = "bytes that are not UTF-8"


@dataclass(frozen=True)
class Seen:
    """What a finding shows: the smallest question, how it fails, where, and on which characters."""

    cause: Cause
    question: Optional[Question]
    failure: Optional[Failure]
    stage: str = ""
    account: str = ""
    characters: str = ""


def seen(bench: Bench, question: Question, kind: str, cause: Cause, seconds: float) -> Seen:
    """Shrink a question that fails; without a failure it stays as it is. Raises UnavailableError."""
    clock = Clock.of(seconds)
    failure = bench.failure(question)
    if failure is None or failure.kind != kind:
        return Seen(cause, question, None, cause.stage)
    least = smaller(bench, question, failure, cause, clock)
    # A question that stayed as it was is not asked again: one that times out would wait for the whole limit.
    now = failure if least == question else bench.failure(least) or failure
    account = bench.account(least) if kind == "diverge" else ""
    characters = NO_TEXT if least.data else ""
    if least.encodes and not least.data and kind != "timeout" and clock.in_time():
        characters = at_fault(
            least.text, lambda text: clock.in_time() and fails(bench, least.with_input(text))
        )
    return Seen(cause, least, now, stage_name(account) or cause.stage, account, characters)


def fails(bench: Bench, question: Question) -> bool:
    return bench.failure(question) is not None
