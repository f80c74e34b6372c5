"""The reference implementation, as an engine under test."""

from __future__ import annotations

from tokassay.checks.engine import UnavailableError
from tokassay.device.reference import NAME, ReferenceEngine, ReferenceSession, reference

__all__ = ["HELP", "IN_PROCESS", "NAME", "ReferenceEngine", "ReferenceSession", "open_engine"]
HELP = "the reference implementation of this package"
IN_PROCESS = True


def open_engine(argument: str) -> ReferenceEngine:
    """The reference in this process; `argument` is not used."""
    if argument:
        raise UnavailableError(f"reference takes no argument, got {argument!r}")
    return reference()
