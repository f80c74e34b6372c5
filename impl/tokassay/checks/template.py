"""Chat templates: the prompt that a template makes of a conversation, or its refusal.

A template is given as text, so it does not matter which tokenizer is loaded.
"""

from __future__ import annotations

from typing import Any, Optional

from .engine import AbsentError, Session
from .judging import ask, expected_error, judged, refused, tokenizer_of
from .vector import Vector
from .verdict import Difference, Verdict

SUITE = "template"
NEEDS = ("template",)


def applies(vector: Vector) -> bool:
    return vector.op == "template"


def check(engine: Session, vector: Vector) -> Verdict:
    """The text as it is, blanks and line ends included."""
    if expected_error(vector):
        return refused(engine, vector, SUITE, NEEDS, _rendered)
    return judged(engine, vector, SUITE, NEEDS, _compare)


def _rendered(engine: Session, vector: Vector) -> str:
    given: Any = vector.given
    if not isinstance(given["template"], str):
        raise AbsentError("the template is a real one that is not on this machine")
    return ask(engine.template, given["template"], given["messages"], given["options"])


def _compare(engine: Session, vector: Vector) -> Optional[Difference]:
    expected: Any = vector.answer(tokenizer_of(vector))["text"]
    found = _rendered(engine, vector)
    return None if found == expected else Difference("text", expected, found)
