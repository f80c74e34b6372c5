"""The same answer every time: asked again, after other texts, in another order, and from other threads."""

from __future__ import annotations

import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .asking import encoded, limited
from .engine import FaultError, RefusalError, Session
from .judging import ask, judged, tokenizer_of
from .vector import DIGITS, Vector, digest
from .verdict import Difference, Verdict

SUITE = "determinism"
OTHER = "another text, 1 2 3\n"
REMEMBERED = 64  # vectors that may be asked again later
THREADS = 4
CUT = 8  # ids of a stream that is cut after each


def applies(vector: Vector) -> bool:
    return vector.op == "encode" and "error" not in vector.expect[tokenizer_of(vector)]


def check(engine: Session, vector: Vector) -> Verdict:
    """Compares the engine with itself, not with the expectation. Clause ``verdict.determinism``.

    A pass carries the digest of the ids.
    """
    needs = ["encode"] + ["pair"] * ("pair" in vector.given) + ["limits"] * limited(vector)
    answers: List[List[int]] = []
    found = judged(engine, vector, SUITE, needs, partial(_compare, answers=answers))
    return replace(found, digest=digest(answers[0])[:DIGITS]) if found.kind == "pass" else found


def _compare(engine: Session, vector: Vector, answers: List[List[int]]) -> Optional[Difference]:
    first = _ids(engine, vector)
    answers.append(first)
    again = _ids(engine, vector)
    if again != first:
        return Difference("ids when asked again", first, again)
    with suppress(FaultError, RefusalError):  # not every tokenizer knows its characters
        ask(engine.encode, OTHER)
    after = _ids(engine, vector)
    if after != first:
        return Difference("ids after another text", first, after)
    threaded = _in_thread(engine, vector)
    if threaded != first:
        return Difference("ids from another thread", first, threaded)
    return (
        _at_once(engine, vector, first)
        or _in_another_order(engine, vector, first)
        or _cut_streams(engine, vector, first)
    )


def _ids(engine: Session, vector: Vector) -> List[int]:
    return list(encoded(engine, vector, special=True).ids)


def _in_thread(engine: Session, vector: Vector) -> List[int]:
    found: List[int] = _threads(os.getpid()).submit(_ids, engine, vector).result()
    return found


def _at_once(engine: Session, vector: Vector, first: List[int]) -> Optional[Difference]:
    """From several threads at the same time, where the engine says that this is safe."""
    if engine.info.build.get("threads") != "safe":
        return None
    pool = _threads(os.getpid())
    for got in [pool.submit(_ids, engine, vector) for _ in range(THREADS)]:
        if got.result() != first:
            return Difference(f"ids from {THREADS} threads at once", first, got.result())
    return None


def _in_another_order(engine: Session, vector: Vector, first: List[int]) -> Optional[Difference]:
    """One of the vectors before this one, asked again now; which one depends on this one's id alone."""
    earlier = _earlier(_Same(engine))
    place = zlib.crc32(vector.id.encode("utf-8"))
    if earlier:
        other, ids = list(earlier.values())[place % len(earlier)]
        got = _ids(engine, other)
        if got != ids:
            return Difference(f"ids of {other.id} in another order", ids, got)
    earlier[place % REMEMBERED] = (vector, first)
    return None


def _cut_streams(engine: Session, vector: Vector, ids: List[int]) -> Optional[Difference]:
    """A stream that ends early has let out what the whole one had by then, wherever a character is cut."""
    inside = not vector.text.isascii() and len(ids) <= CUT and zlib.crc32(vector.id.encode("utf-8")) % 4 == 0
    if not inside or "stream" not in engine.info.capabilities or "text" not in vector.given:
        return None
    answer = vector.answer(tokenizer_of(vector))
    if any(isinstance(answer[name], Mapping) for name in ("decoded", "decoded_plain") if name in answer):
        return None  # decoding these ids is more than the oracle itself can do
    whole = _streamed(engine, ids)
    for end in range(len(ids)):
        got = _streamed(engine, ids[:end])
        if got != whole[:end]:
            return Difference(f"steps of a stream cut after {end} of {len(ids)} ids", whole[:end], got)
    return None


def _streamed(engine: Session, ids: List[int]) -> List[Optional[str]]:
    """What each id lets out. Where the engine fails, as the oracle may, its words stand for the text."""
    stream = ask(engine.stream)
    steps: List[Optional[str]] = []
    for index in ids:
        try:
            steps.append(ask(stream.step, index))
        except (FaultError, RefusalError) as error:  # noqa: PERF203 - one step must not end the stream
            steps.append(f"{type(error).__name__}: {error.reason}")
    return steps


class _Same:
    """A session as a key: the very object."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def __hash__(self) -> int:
        return id(self.session)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.session is self.session


@lru_cache(maxsize=1)
def _earlier(_session: _Same) -> Dict[int, Tuple[Vector, List[int]]]:
    """What the current session has answered: a sample."""
    return {}


@lru_cache(maxsize=1)
def _threads(_process: int) -> Any:
    """The same threads for all vectors: engines prepare much for each. A fork leaves threads behind."""
    return ThreadPoolExecutor(THREADS)
