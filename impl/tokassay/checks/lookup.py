"""Prompt lookup: what an engine drafts after a history that grows, is cut back, and begins anew.

Token ids go in and come out, so it does not matter which tokenizer is loaded.
"""

from __future__ import annotations

from typing import Any, List, Optional

from .engine import Session
from .judging import ask, judged, tokenizer_of
from .vector import Vector
from .verdict import Difference, Verdict

SUITE = "lookup"


def applies(vector: Vector) -> bool:
    return vector.op == "lookup"


def check(engine: Session, vector: Vector) -> Verdict:
    """Every draft of one rule, in order, padding included."""
    return judged(engine, vector, SUITE, ["lookup"], _compare)


def _compare(engine: Session, vector: Vector) -> Optional[Difference]:
    given: Any = vector.given
    expected: Any = vector.answer(tokenizer_of(vector))["drafts"]
    found = ask(engine.lookup, given["rule"], given["options"], given["calls"])
    drafts: List[List[int]] = [list(draft) for draft in found]
    if len(drafts) != len(expected):
        return Difference("number of drafts", str(len(expected)), str(len(drafts)))
    for number, (wanted, got) in enumerate(zip(expected, drafts), 1):
        if got != wanted:
            return Difference(f"ids of draft {number}", wanted, got)
    return None
