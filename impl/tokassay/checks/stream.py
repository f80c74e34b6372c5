"""Ids one by one to text: complete, never a partial character, nothing withheld longer than needed.

An engine that claims ``flush`` has to end with the whole text: either ``decode(ids)``, or what the
oracle's own stream says where the decoder is not prefix-stable (clauses ``stream.*``). An engine that
does not is compared with the oracle's stream step by step, failures included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, List, Optional, Sequence, Tuple

from .decode import options
from .engine import EngineError, Session, UnavailableError
from .judging import ask, judged, tokenizer_of
from .vector import Vector
from .verdict import Difference, Verdict

SUITE = "stream"


def applies(vector: Vector) -> bool:
    """Where the oracle fails on the ids at once, there is no stream; that is for the decode suite."""
    return vector.op == "stream" and "chunks" in vector.expect[tokenizer_of(vector)]


@dataclass(frozen=True)
class Streamed:
    """What came out: one entry per step, then the flush; `failed` when a step ended in an error."""

    steps: Sequence[Optional[str]]
    flushed: Optional[str] = None
    failed: bool = False

    @property
    def text(self) -> str:
        return "".join(step or "" for step in (*self.steps, self.flushed))


def check(engine: Session, vector: Vector) -> Verdict:
    """The steps and the flush against the oracle's text and its stream."""
    skip = bool(vector.given["skip_special_tokens"])
    needs = ["stream"] + ["skip_special"] * skip
    compare = _complete if "flush" in engine.info.capabilities else _as_oracle
    return judged(engine, vector, SUITE, needs, partial(compare, skip=skip))


def _oracle(vector: Vector) -> Tuple[Streamed, str]:
    answer: Any = vector.answer(tokenizer_of(vector))
    return Streamed(answer["chunks"], None, "error" in answer), answer["full"]


def _as_oracle(engine: Session, vector: Vector, skip: bool) -> Optional[Difference]:
    expected, _ = _oracle(vector)
    got = _steps(engine, vector, skip)
    if list(got.steps) != list(expected.steps):
        return Difference("steps of the stream", expected.steps, got.steps)
    outcome = {True: "an error", False: "an answer"}
    if got.failed != expected.failed:
        return Difference("outcome of the stream", outcome[expected.failed], outcome[got.failed])
    return None


def _steps(engine: Session, vector: Vector, skip: bool) -> Streamed:
    stream = ask(engine.stream, **options(engine, skip=skip))
    steps: List[Optional[str]] = []
    try:
        for index in vector.ids:
            steps.append(ask(stream.step, index))  # noqa: PERF401 - the steps before an error count
    except UnavailableError:
        raise
    except EngineError:
        return Streamed(steps, failed=True)
    return Streamed(steps)


def _complete(engine: Session, vector: Vector, skip: bool) -> Optional[Difference]:
    oracle, full = _oracle(vector)
    stream = ask(engine.stream, **options(engine, skip=skip))
    got = Streamed([ask(stream.step, index) for index in vector.ids], ask(stream.flush))
    if got.text not in _accepted(oracle, full):
        return Difference("text of the whole stream", full, got.text)
    for number, step in enumerate(got.steps):
        if step and "\ufffd" in step and "\ufffd" not in full:
            return Difference(f"step {number} holds a partial character", full, step)
    return None if oracle.failed else _late(oracle, got)


def _accepted(oracle: Streamed, full: str) -> Sequence[str]:
    """What a whole stream may come to.

    `decode` may replace characters that every stream has given already (``stream.byte-fallback``): then
    those stand as the oracle's stream gave them.
    """
    if oracle.failed or full.startswith(oracle.text):  # what the oracle withholds, a flush has to give
        return [full]
    return [full, oracle.text, oracle.text + full[len(oracle.text) :]]


def _late(oracle: Streamed, got: Streamed) -> Optional[Difference]:
    """The first step after which the engine has told less than the oracle had."""
    told = due = ""
    for number, (ours, theirs) in enumerate(zip(got.steps, oracle.steps)):
        told, due = told + (ours or ""), due + (theirs or "")
        if len(told) < len(due) and due.startswith(told):
            return Difference(f"text after step {number}", due, told)
    return None
