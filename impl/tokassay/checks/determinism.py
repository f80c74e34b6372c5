"""The same answer every time: asked again, after another text, and from another thread."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import List, Optional

from .asking import encoded, limited
from .engine import FaultError, RefusalError, Session
from .judging import ask, judged, tokenizer_of
from .vector import Vector
from .verdict import Difference, Verdict

SUITE = "determinism"
OTHER = "another text, 1 2 3\n"


def applies(vector: Vector) -> bool:
    return vector.op == "encode" and "error" not in vector.expect[tokenizer_of(vector)]


def check(engine: Session, vector: Vector) -> Verdict:
    """Compares the engine with itself, not with the expectation. Clause ``verdict.determinism``."""
    needs = ["encode"] + ["pair"] * ("pair" in vector.given) + ["limits"] * limited(vector)
    return judged(engine, vector, SUITE, needs, lambda: _compare(engine, vector))


def _compare(engine: Session, vector: Vector) -> Optional[Difference]:
    first = _ids(engine, vector)
    again = _ids(engine, vector)
    if again != first:
        return Difference("ids when asked again", first, again)
    with suppress(FaultError, RefusalError):  # not every tokenizer knows its characters
        ask(engine.encode, OTHER)
    after = _ids(engine, vector)
    if after != first:
        return Difference("ids after another text", first, after)
    threaded = _in_thread(engine, vector)
    return None if threaded == first else Difference("ids from another thread", first, threaded)


def _ids(engine: Session, vector: Vector) -> List[int]:
    return list(encoded(engine, vector, special=True).ids)


def _in_thread(engine: Session, vector: Vector) -> List[int]:
    return _other_thread(os.getpid()).submit(_ids, engine, vector).result()


@lru_cache(maxsize=1)
def _other_thread(_process: int) -> ThreadPoolExecutor:
    """One thread for all vectors: engines prepare much for each new thread. A fork leaves threads behind."""
    return ThreadPoolExecutor(1)
