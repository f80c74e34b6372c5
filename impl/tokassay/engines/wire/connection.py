"""Requests in flight, restarts, and which case is to blame when the child is lost.

A child can be lost in three ways: it ended, it was silent for too long (and is killed), or what it
wrote was not the protocol (and it is killed, as nothing after that can be trusted). With one request in
flight that request is to blame. With several, each is asked again alone in a fresh child; the one that
loses it again is to blame. When none does, the oldest is: what happened stays told, on exactly one case.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any, Container, Dict, List, Optional, Tuple, Union

from tokassay.checks.engine import (
    CrashError,
    EngineError,
    EngineInfo,
    FaultError,
    RefusalError,
    UnavailableError,
)
from tokassay.verdicts.measures import Histogram, bucket

from .child import Child, Command, LostError
from .limits import Limits
from .messages import BadReplyError, Bye, Greeting, Hello, Load, Reply, Request, request_line
from .schemas import Validator

NOT_AGAIN = " (not again when the case was asked alone: it depends on what came before)"
LONGEST = 10**15  # nanoseconds; what a reply tells beyond is no duration
STREAM_LOST = "the stream was lost with its process"


@dataclass(frozen=True, eq=False)
class Loaded:
    """A tokenizer that a session stands for. Each load is one of its own, even of the same path.

    `taken`: operation → bucket → replies, as far as they tell how long they took.
    """

    path: str
    taken: Dict[str, Histogram] = field(default_factory=dict, repr=False)


Asked = Tuple[Loaded, Request]
Outcome = Union[EngineError, Any]


class Connection:
    """One engine behind a child, which may be started several times."""

    def __init__(self, command: Command, limits: Limits) -> None:
        """Start the child and greet it. Raises UnavailableError."""
        self.command, self.limits = command, limits
        self.lock = threading.RLock()
        self._restarts_left = limits.restarts
        self._last_loss = ""
        self._tickets = itertools.count(1)
        self._validator = Validator() if limits.validate else None
        self._pending: Dict[int, Asked] = {}
        self._answers: Dict[int, Outcome] = {}
        self._dropped: set[int] = set()
        self._handles: OrderedDict[Loaded, int] = OrderedDict()
        self.generation = 0  # counts the children
        self.streams_opened = 0
        self._child: Optional[Child] = None
        self._greeting = self._start()

    @property
    def info(self) -> EngineInfo:
        return self._greeting.info

    # -- asking ----------------------------------------------------------------------------------

    def ask(self, tokenizer: Loaded, request: Request) -> Any:
        """The answer. Raises an EngineError."""
        with self.lock:
            outcome = self.collect(self.submit(tokenizer, request))
        if isinstance(outcome, EngineError):
            raise outcome
        return outcome

    def submit(self, tokenizer: Loaded, request: Request) -> int:
        """Put a request in flight; the ticket is what `collect` or `drop` take. Raises UnavailableError."""
        ticket = next(self._tickets)
        try:
            handle, child = self._ready(tokenizer)
        except UnavailableError:
            raise
        except EngineError as error:  # it cannot be loaded again
            self._answers[ticket] = error
            return ticket
        self._pending[ticket] = (tokenizer, request)
        child.send(self._line(request, ticket, handle))
        return ticket

    def push(self) -> None:
        """Let what was submitted leave now, while there is other work to do."""
        if self._child is not None:
            self._child.push()

    def collect(self, ticket: int) -> Outcome:
        """Wait for an answer; an EngineError is answered, not raised (UnavailableError is raised)."""
        while ticket not in self._answers:
            if ticket not in self._pending:  # given up together with the engine
                raise UnavailableError(f"{self.command.shown} is gone; the last time: {self._last_loss}")
            self._pump()
        outcome = self._answers.pop(ticket)
        if isinstance(outcome, UnavailableError):
            raise outcome
        return outcome

    def drop(self, ticket: int) -> None:
        """Nobody will collect this."""
        if self._answers.pop(ticket, None) is None and ticket in self._pending:
            self._dropped.add(ticket)

    @property
    def in_flight(self) -> int:
        return len(self._pending)

    def drain(self) -> None:
        """Wait until nothing is in flight."""
        while self._pending:
            self._pump()

    def load(self, tokenizer: Loaded) -> None:
        """Open a tokenizer file. Raises an EngineError."""
        with self.lock:
            self._ready(tokenizer)

    def close(self) -> None:
        """Say bye, and end the child."""
        with self.lock:
            if self._child is not None:
                self._child.send(self._line(Bye(), next(self._tickets), None))
                self._child.push()
            self._pending.clear()
            self._lose()

    # -- the child ---------------------------------------------------------------------------------

    def _start(self) -> Greeting:
        self.generation += 1
        child = self._child = Child(self.command, self.limits)
        child.send(self._line(Hello(), 0, None))
        shown = self.command.shown
        try:
            greeting: Union[Greeting, EngineError] = self._only(child, self.limits.start_seconds, Hello(), 0)
        except LostError as lost:
            self._lose()
            raise UnavailableError(f"{shown} did not answer to hello: {lost.reason}", _HELLO_HINT) from lost
        if isinstance(greeting, EngineError):
            self._lose()
            raise UnavailableError(
                f"{shown} does not answer to hello as it should: {greeting.reason}", _HELLO_HINT
            )
        return greeting

    def _running(self) -> Child:
        if self._child is None:
            if self._restarts_left == 0:
                used = f"{self.command.shown} used up its {self.limits.restarts} restarts"
                raise UnavailableError(f"{used}; the last time: {self._last_loss}")
            self._restarts_left -= 1
            if replace(self._start(), handles=0) != replace(self._greeting, handles=0):
                raise UnavailableError(
                    f"{self.command.shown} is another engine after a restart", "was it rebuilt?"
                )
        assert self._child is not None
        return self._child

    def _lose(self) -> None:
        """End the child; what it holds is gone with it."""
        self._handles.clear()
        if self._child is not None:
            self._child.end()
            self._child = None

    def _ready(self, tokenizer: Loaded) -> Tuple[int, Child]:
        """The handle under which the tokenizer is loaded in a running child."""
        child = self._running()
        if tokenizer in self._handles:
            self._handles.move_to_end(tokenizer)
            return self._handles[tokenizer], child
        self.drain()  # what is in flight may need the handle that is given away
        child = self._running()
        if len(self._handles) == self._greeting.handles:
            self._handles.popitem(last=False)
        handle = min(set(range(self._greeting.handles)) - set(self._handles.values()))
        self._load(child, handle, tokenizer)
        self._handles[tokenizer] = handle
        return handle, child

    def _load(self, child: Child, handle: int, tokenizer: Loaded) -> None:
        request, ticket = Load(tokenizer.path), next(self._tickets)
        child.send(self._line(request, ticket, handle))
        try:
            outcome = self._only(child, self.limits.load_seconds, request, ticket)
        except LostError as lost:
            self._lost(lost)
            raise lost.as_engine_error(f" (while it loaded {tokenizer.path})") from lost
        if isinstance(outcome, EngineError):
            raise outcome

    # -- replies -----------------------------------------------------------------------------------

    def _line(self, request: Request, ticket: int, handle: Optional[int]) -> bytes:
        line = request_line(request, ticket, handle)
        if self._validator is not None:
            self._validator.check_request(request.op, line)
        return line

    def _pump(self) -> None:
        """Wait for output and deliver it; a lost child is dealt with here."""
        try:
            for line in self._child.lines(self.limits.seconds) if self._child is not None else ():
                self._deliver(line)
        except LostError as lost:
            self._recover(lost)

    def _only(self, child: Child, seconds: float, request: Request, ticket: int) -> Outcome:
        """The outcome of a request that is alone in flight. Raises LostError."""
        first, *more = child.lines(seconds)
        outcome = self._outcome(request, self._parsed(first, {ticket}))
        if more:
            self._parsed(more[0], ())
        return outcome

    def _deliver(self, line: bytes) -> None:
        reply = self._parsed(line, self._pending)
        ticket = reply["id"]
        tokenizer, request = self._pending.pop(ticket)
        if "ns" in reply and not getattr(request, "want", ()):
            _note(tokenizer.taken.setdefault(request.op, {}), reply["ns"])
        if ticket in self._dropped:
            self._dropped.discard(ticket)
        else:
            self._answers[ticket] = self._outcome(request, reply)

    def _parsed(self, line: bytes, expected: Container[int]) -> Reply:
        """The reply in a line. Raises LostError where it is none, or answers nothing that was asked."""
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise LostError(
                "breach", f"its stdout holds {_shown(line)}, which is not a reply; logs belong on stderr"
            )
        ticket = reply.get("id")
        if type(ticket) is not int or ticket not in expected:
            told = reply.get("error")
            why = f": {told}" if ticket is None and told else ", which is not waiting for an answer"
            raise LostError("breach", f"it answers id {json.dumps(ticket)}{why}")
        return reply

    def _outcome(self, request: Request, reply: Reply) -> Outcome:
        try:
            if self._validator is not None:
                self._validator.check_reply(request.op, reply)
            for key, kind in _FAILURES.items():
                if key in reply:
                    return kind(str(reply[key]))
            return request.read(reply)
        except BadReplyError as error:
            return FaultError(f"its reply to {request.op} is wrong: {error}")

    # -- blame -------------------------------------------------------------------------------------

    def _lost(self, lost: LostError) -> None:
        self._last_loss = lost.reason
        self._lose()

    def _recover(self, lost: LostError) -> None:
        """An outcome for everything that was in flight; at least one of them is a loss."""
        self._lost(lost)
        suspects, unwanted = list(self._pending.items()), set(self._dropped)
        self._pending.clear()
        self._dropped.clear()
        if len(suspects) == 1:
            outcomes: Dict[int, Outcome] = {suspects[0][0]: lost.as_engine_error()}
        else:
            outcomes = self._asked_again(suspects, lost)
        self._answers.update({t: outcome for t, outcome in outcomes.items() if t not in unwanted})

    def _asked_again(self, suspects: List[Tuple[int, Asked]], lost: LostError) -> Dict[int, Outcome]:
        """Each suspect alone; also those that nobody waits for, or their fault would fall on another."""
        outcomes: Dict[int, Outcome] = {}
        blamed = False
        for ticket, asked in suspects:
            try:
                outcomes[ticket], lost_again = self._alone(*asked)
            except UnavailableError as error:  # what is known by now stays known
                return {**{left: error for left, _ in suspects}, **outcomes}
            blamed = blamed or lost_again
        if suspects and not blamed:
            outcomes[suspects[0][0]] = lost.as_engine_error(NOT_AGAIN)
        return outcomes

    def _alone(self, tokenizer: Loaded, request: Request) -> Tuple[Outcome, bool]:
        """The outcome of a request that is alone in flight, and whether it lost the child."""
        if request.op in ("step", "flush"):
            return CrashError(STREAM_LOST), False
        try:
            handle, child = self._ready(tokenizer)
            ticket = next(self._tickets)
            child.send(self._line(request, ticket, handle))
            return self._only(child, self.limits.seconds, request, ticket), False
        except LostError as lost:
            self._lost(lost)
            return lost.as_engine_error(), True
        except UnavailableError:
            raise
        except EngineError as error:
            return error, True


_HELLO_HINT = "docs/protocol/README.md says what belongs there"
_FAILURES = {"unsupported": RefusalError, "error": FaultError, "crash": CrashError}


def _note(histogram: Histogram, nanoseconds: object) -> None:
    if type(nanoseconds) is int and 0 <= nanoseconds < LONGEST:
        index = bucket(nanoseconds)
        histogram[index] = histogram.get(index, 0) + 1


def _shown(line: bytes) -> str:
    text = json.dumps(line[:60].decode("utf-8", "replace"))
    return text if len(line) <= 60 else f"{text} ..."
