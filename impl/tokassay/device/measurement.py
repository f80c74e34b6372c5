"""One call to be timed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, List, Optional

from tokassay.checks.engine import Session
from tokassay.checks.judging import ask

from .samples import DIFFERENT

Given = Callable[[int], Any]


def nothing(_number: int) -> None:
    """What a call is given that needs nothing."""


def one_unit(_answer: Any) -> int:
    return 1


def no_ids(_answer: Any) -> None:
    return None


@dataclass(frozen=True)
class Measurement:
    """One call to be timed.

    Attributes:
        operation: one of `samples.OPERATIONS`.
        vector: as in `samples.Series`.
        call: what is timed.
        given: what a call is given, by its number; below zero for the warm-up.
        units: that the answer holds.
        ids: for the digest, from the last answer; asked when all samples have been taken.
        inputs: as in `samples.Series`.
        again: the same input each time, where an engine refuses a different one; None: there is none.
    """

    operation: str
    vector: str
    call: Callable[[Any], Any]
    given: Given = nothing
    units: Callable[[Any], int] = one_unit
    ids: Callable[[Any], Optional[List[int]]] = no_ids
    inputs: str = DIFFERENT
    again: Optional[Given] = None


def encode(session: Session, text: str) -> Any:
    """An encoding whose ids were read: an engine may compute them only then. Raises EngineError."""
    options = {"add_special_tokens": True} if "add_special" in session.info.capabilities else {}
    found = ask(session.encode, text, **options)
    found.ids  # noqa: B018
    return found
