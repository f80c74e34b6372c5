"""Engines with one fault each, on purpose: they show what a failure looks like, and test the kit itself.

``fake:FAULT`` wraps the reference, ``fake:FAULT:hf`` another engine.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Callable, Iterator, Mapping, Optional, Sequence

from tokassay import engines
from tokassay.checks.engine import (
    AddressError,
    Answer,
    CrashError,
    Encoded,
    Engine,
    EngineInfo,
    RefusalError,
    Session,
    Stream,
    TimeLimitError,
    UnavailableError,
)

NAME = "fake"
HELP = "engines that fail on purpose, to see how a failure is shown: fake:wrong, fake:crashes, ..."

# A fault gets the number of the call (from 1) and the way to the right answer.
Fault = Callable[[int, Callable[[], Encoded]], Encoded]


def wrong(_: int, right: Callable[[], Encoded]) -> Encoded:
    """Every id is one too large."""
    return Answer([index + 1 for index in right().ids])


def crashes(call: int, right: Callable[[], Encoded]) -> Encoded:
    """The seventh call is a crash, the eighth works again."""
    if call == 7:
        raise CrashError("signal 11 on the seventh call")
    return Answer(right().ids)


def hangs(call: int, right: Callable[[], Encoded]) -> Encoded:
    """The seventh call takes too long."""
    if call == 7:
        raise TimeLimitError("no answer within 5 s")
    return Answer(right().ids)


def wavers(call: int, right: Callable[[], Encoded]) -> Encoded:
    """Every second answer is another one."""
    ids = list(right().ids)
    return Answer([*ids, *ids] if call % 2 == 0 else ids)


def raises(_: int, right: Callable[[], Encoded]) -> Encoded:
    """Every call is an error."""
    raise ValueError(f"cannot encode {type(right).__name__}")


def claims(_: int, right: Callable[[], Encoded]) -> Encoded:
    """Claims offsets and streams, has neither."""
    return Bare(right().ids)  # type: ignore[return-value]


def modest(_: int, right: Callable[[], Encoded]) -> Encoded:
    """Claims nothing but to encode and decode, and does it well."""
    return Answer(right().ids)


def dies(call: int, right: Callable[[], Encoded]) -> Encoded:
    """Goes down with the seventh call and cannot be started again."""
    if call >= 7:
        raise UnavailableError("restarts are used up")
    return Answer(right().ids)


def refuses(_: int, right: Callable[[], Encoded]) -> Encoded:
    """Refuses every file."""
    raise RefusalError(f"not reached: {right}")


FAULTS: Mapping[str, Fault] = {
    fault.__name__: fault for fault in (wrong, crashes, hangs, wavers, raises, claims, modest, dies, refuses)
}


@dataclass(frozen=True)
class Bare:
    """An encoding without anything but ids."""

    ids: Sequence[int]


def open_engine(argument: str) -> Engine:
    """The fake with the named fault. ``fake:absent`` cannot be started."""
    name, _, base = argument.partition(":")
    if name not in FAULTS:
        known = f"known: {', '.join(FAULTS)}, absent"
        if name == "absent":
            raise UnavailableError("this fake never starts", known)
        raise AddressError(f"no fault {name!r}", known)
    wrapped = engines.open(base or "reference")
    claimed = {"encode", "decode"} | ({"offsets", "stream"} if name == "claims" else set())
    info = EngineInfo(f"fake:{name}", wrapped.info.version, frozenset(claimed))
    return FakeEngine(info, wrapped, name)


@dataclass(frozen=True)
class FakeEngine:
    """Another engine with one fault."""

    info: EngineInfo
    wrapped: Engine
    fault: str

    def load(self, path: str) -> Session:
        if self.fault == "refuses":
            raise RefusalError("this fake reads no files")
        return FakeSession(self.info, path, self.wrapped.load(path), FAULTS[self.fault])  # type: ignore[return-value]


@dataclass(frozen=True)
class FakeSession:
    """A session whose encodings go through the fault; the rest is the wrapped engine's."""

    info: EngineInfo
    path: str
    right: Session
    fault: Fault
    calls: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def encode(self, text: str, pair: Optional[str] = None) -> Encoded:
        return self.fault(next(self.calls), lambda: self.right.encode(text, pair, add_special_tokens=False))

    def decode(self, ids: Sequence[int]) -> str:
        return self.right.decode(ids, skip_special_tokens=False)

    def stream(self) -> Stream:
        raise RefusalError("streams are not implemented")
