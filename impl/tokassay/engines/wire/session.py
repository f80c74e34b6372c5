"""The `Engine` and `Session` in front of a connection."""

from __future__ import annotations

import itertools
import json
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Deque, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, cast

from tokassay.checks.calls import Call
from tokassay.checks.engine import (
    Answer,
    CrashError,
    Encoded,
    EngineError,
    EngineInfo,
    FaultError,
    Stages,
    UnavailableError,
)
from tokassay.verdicts.measures import Histogram

from . import messages
from .child import Command
from .connection import STREAM_LOST, Connection, Loaded, Outcome
from .limits import Limits

STREAMS = 8  # stream numbers in use before the first is given away again


def start(command: Command, limits: Limits) -> WireEngine:
    """Start an engine and greet it. Raises UnavailableError."""
    connection = Connection(command, limits)
    name = connection.info.name
    if not name.isprintable() or not name.strip():  # it stands in tables, where it must not move a cursor
        connection.close()
        raise UnavailableError(f"it calls itself {json.dumps(name)}, where printable characters belong")
    build = {"sha256": command.sha256(), **connection.info.build}  # what the engine says of itself wins
    told = {name: value for name, value in build.items() if value}
    return WireEngine(replace(connection.info, build=told), connection)


@dataclass(frozen=True)
class WireEngine:
    """An engine in a child process."""

    info: EngineInfo
    connection: Connection = field(repr=False)

    def load(self, path: str) -> WireSession:
        """Open a tokenizer file in the child. Raises an EngineError."""
        tokenizer = Loaded(path)
        self.connection.load(tokenizer)
        return WireSession(self.info, path, self.connection, tokenizer)

    def again(self) -> WireEngine:
        """The same engine in another child, under the same name. Raises UnavailableError."""
        other = start(self.connection.command, self.connection.limits)
        return replace(other, info=replace(other.info, name=self.info.name))

    def close(self) -> None:
        """End the child; otherwise it ends with this object."""
        self.connection.close()


@dataclass(frozen=True)
class WireEncoded:
    """The ids; what else the engine claims is asked for when it is first read."""

    ids: Sequence[int]
    session: WireSession = field(repr=False)
    request: messages.Encode

    @cached_property
    def _full(self) -> Answer:
        wanted = replace(self.request, want=self.session.wanted)
        return self.session.asked(wanted)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._full, name)


@dataclass(frozen=True)
class WireStream:
    """One stream in one child: it ends with it."""

    session: WireSession
    serial: int
    generation: int

    @property
    def number(self) -> int:
        return self.serial % STREAMS

    def step(self, index: int) -> Optional[str]:
        return self._asked(messages.Step(self.number, index))

    def flush(self) -> Optional[str]:
        return self._asked(messages.Flush(self.number)) if "flush" in self.session.info.capabilities else None

    def _asked(self, request: messages.Request) -> Optional[str]:
        connection = self.session.connection
        if self.generation != connection.generation:
            raise CrashError(STREAM_LOST)
        if connection.streams_opened - self.serial > STREAMS:
            raise FaultError(f"more than {STREAMS} streams were open at a time")
        return self.session.asked(request)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class WireSession:
    """One tokenizer loaded in the child.

    `expect` tells what will be asked next: those requests are sent ahead, a window of them at a time, and
    the methods then find their answers waiting. It changes the speed and nothing else.
    """

    info: EngineInfo
    path: str
    connection: Connection = field(repr=False)
    tokenizer: Loaded = field(repr=False)
    ahead: Ahead = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ahead", Ahead(self.connection, self.tokenizer))

    @property
    def wanted(self) -> Tuple[str, ...]:
        return tuple(name for name in messages.COLUMNS if name in self.info.capabilities)

    def asked(self, request: messages.Request) -> Any:
        """The answer to any request. Raises an EngineError."""
        outcome = self.ahead.outcome(request)
        if isinstance(outcome, EngineError):
            raise outcome
        return outcome

    @property
    def taken(self) -> Mapping[str, Histogram]:
        """How long the engine took, as it tells itself: operation → bucket → replies."""
        return self.tokenizer.taken

    def expect(self, calls: Iterable[Call]) -> None:
        """Send these ahead, in order, as the window allows; what is asked besides is answered as ever."""
        self.ahead.replace(_request(call) for call in calls)

    def encode_many(self, texts: Iterable[str], *, add_special_tokens: bool = True) -> Iterator[Outcome]:
        """An `Encoded` or the EngineError for each text, in order, pipelined. Raises UnavailableError."""
        first, second = itertools.tee(messages.Encode(text, None, add_special_tokens) for text in texts)
        self.ahead.replace(first)
        for request in second:
            outcome = self.ahead.outcome(request)
            yield outcome if isinstance(outcome, EngineError) else WireEncoded(outcome.ids, self, request)

    def encode(self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True) -> Encoded:
        return self._encoded(messages.Encode(text, pair, add_special_tokens))

    def encode_limited(
        self, text: str, pair: Optional[str] = None, *, add_special_tokens: bool = True
    ) -> Encoded:
        return self._encoded(messages.Encode(text, pair, add_special_tokens, limits=True))

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> Encoded:
        return self._encoded(messages.Encode(bytes(data), None, add_special_tokens))

    def _encoded(self, request: messages.Encode) -> Encoded:
        return cast("Encoded", WireEncoded(self.asked(request).ids, self, request))

    def encode_batch_limited(
        self, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> Sequence[Encoded]:
        request = messages.EncodeBatch(tuple(texts), add_special_tokens, self.wanted)
        return self.asked(request)  # type: ignore[no-any-return]

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> str:
        return self.asked(messages.Decode(tuple(ids), skip_special_tokens))  # type: ignore[no-any-return]

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
        return self.asked(messages.DecodeBytes(tuple(ids), skip_special_tokens))  # type: ignore[no-any-return]

    def stream(self, *, skip_special_tokens: bool = True) -> WireStream:
        with self.connection.lock:
            serial, self.connection.streams_opened = (
                self.connection.streams_opened,
                self.connection.streams_opened + 1,
            )
            self.asked(messages.OpenStream(serial % STREAMS, skip_special_tokens))
            return WireStream(self, serial, self.connection.generation)

    def stages(self, text: str) -> Stages:
        return self.asked(messages.ShowStages(text))  # type: ignore[no-any-return]

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return self.asked(messages.VocabSize(with_added_tokens))  # type: ignore[no-any-return]

    def id_to_token(self, index: int) -> Optional[str]:
        return self.asked(messages.IdToToken(index))  # type: ignore[no-any-return]

    def lookup(
        self, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]
    ) -> Sequence[Sequence[int]]:
        return self.asked(messages.Lookup.of(rule, options, calls))  # type: ignore[no-any-return]

    def template(self, template: str, messages_: object, options: Mapping[str, object]) -> str:
        return self.asked(messages.Template.of(template, messages_, options))  # type: ignore[no-any-return]


def _request(call: Call) -> messages.Request:
    """The request behind an announced call, equal to the one that the method makes."""
    argument: Any = call.argument
    if call.method == "decode":
        return messages.Decode(tuple(argument), call.special)
    if call.method == "decode_bytes":
        return messages.DecodeBytes(tuple(argument), call.special)
    return messages.Encode(argument, call.pair, call.special, limits=call.method == "encode_limited")


class Ahead:
    """Requests sent before they are asked."""

    def __init__(self, connection: Connection, tokenizer: Loaded) -> None:
        self._connection, self._tokenizer = connection, tokenizer
        self._coming: Iterator[messages.Request] = iter(())
        self._sent: Deque[Tuple[int, messages.Request]] = deque()  # with tickets, oldest first
        self._known: Counter[messages.Request] = Counter()  # the requests in `_sent`

    def replace(self, coming: Iterator[messages.Request]) -> None:
        """Forget what was sent ahead and nobody asked for, and begin anew."""
        with self._connection.lock:
            for ticket, _ in self._sent:
                self._connection.drop(ticket)
            self._sent.clear()
            self._known.clear()
            self._coming = coming
            self._refill()

    def outcome(self, request: messages.Request) -> Outcome:
        """The answer that waits, or a fresh one."""
        connection = self._connection
        with connection.lock:
            ticket = self._claimed(request) if self._sent else None
            if ticket is None:
                if request.op in ("stream", "step", "flush"):
                    connection.drain()  # a stream must not be lost to another case
                ticket = connection.submit(self._tokenizer, request)
            elif 2 * len(self._sent) <= connection.limits.window:
                self._refill()
            return connection.collect(ticket)

    def _claimed(self, request: messages.Request) -> Optional[int]:
        """The ticket of the oldest equal request; those before it are given up (a check ended early)."""
        if request not in self._known:
            return None
        while True:
            ticket, sent = self._sent.popleft()
            self._known[sent] -= 1
            if not self._known[sent]:
                del self._known[sent]
            if sent == request:
                return ticket
            self._connection.drop(ticket)

    def _refill(self) -> None:
        """Half a window at a time: the child works on one half while the answers of the other are judged."""
        for request in itertools.islice(
            self._coming, max(0, self._connection.limits.window - len(self._sent))
        ):
            self._sent.append((self._connection.submit(self._tokenizer, request), request))
            self._known[request] += 1
        self._connection.push()
