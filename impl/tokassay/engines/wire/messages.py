"""Requests and replies of the wire protocol as values. The page is docs/protocol/README.md.

A request knows its operation, its fields, and how the reply to it is read (or `BadReplyError`). Request ids
and handles belong to the connection, so the same request is the same value wherever it is asked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, FrozenSet, Mapping, Optional, Protocol, Sequence, Tuple, Union

from tokassay.checks.engine import CAPABILITIES, Answer, EngineInfo, Stages

PROTOCOL = 1
COLUMNS: Mapping[str, Tuple[str, ...]] = {
    "tokens": ("tokens",),
    "offsets": ("offsets",),
    "masks": ("type_ids", "attention_mask", "special_tokens_mask", "word_ids"),
}
Reply = Mapping[str, Any]
Text = Union[str, bytes]
_dump = json.JSONEncoder(separators=(",", ":")).encode


class BadReplyError(ValueError):
    """A reply that is JSON, but not what the operation promises; says which field."""


class Request(Protocol):
    """One of the values below."""

    @property
    def op(self) -> str: ...

    def fields(self) -> Dict[str, object]: ...

    def read(self, reply: Reply) -> Any:
        """The answer in a reply. Raises BadReplyError."""
        ...


def request_line(request: Request, ticket: int, handle: Optional[int]) -> bytes:
    """One line: ASCII, so no text can break it."""
    frame: Dict[str, object] = {"op": request.op, "id": ticket}
    if handle is not None:
        frame["handle"] = handle
    return _dump({**frame, **request.fields()}).encode("ascii") + b"\n"


# -- reading -----------------------------------------------------------------------------------------


def _field(reply: Reply, name: str, kind: type, default: object = ...) -> Any:
    value = reply.get(name, default)
    if type(value) is kind or (value is default and default is not ...):
        return value
    found = "is missing" if name not in reply else f"is {json.dumps(value)[:60]}"
    raise BadReplyError(f"{name} {found}, where {_KIND_NAMES[kind]} belongs")


_KIND_NAMES = {str: "a string", int: "an integer", list: "a list", dict: "an object", bool: "true or false"}


def _items(reply: Reply, name: str, kinds: FrozenSet[type]) -> Any:
    values = _field(reply, name, list)
    if not kinds.issuperset(map(type, values)):
        bad = next(index for index, value in enumerate(values) if type(value) not in kinds)
        raise BadReplyError(f"{name}[{bad}] is {json.dumps(values[bad])[:60]}, which does not belong there")
    return values


_INTEGERS, _STRINGS = frozenset({int}), frozenset({str})
_OPTIONAL_INTEGERS, _LISTS = frozenset({int, type(None)}), frozenset({list})
_OBJECTS = frozenset({dict})


def _offsets(reply: Reply) -> Sequence[Tuple[int, int]]:
    values = _items(reply, "offsets", _LISTS)
    for index, pair in enumerate(values):
        if len(pair) != 2 or not all(type(end) is int for end in pair):
            raise BadReplyError(f"offsets[{index}] is {json.dumps(pair)[:60]}, where [start, end] belongs")
    return [(start, end) for start, end in values]


def _column(reply: Reply, name: str) -> Any:
    if name == "offsets":
        return _offsets(reply)
    kinds = {"tokens": _STRINGS, "word_ids": _OPTIONAL_INTEGERS}.get(name, _INTEGERS)
    return _items(reply, name, kinds)


def _hex(reply: Reply) -> bytes:
    try:
        return bytes.fromhex(_field(reply, "bytes_hex", str))
    except ValueError as error:
        raise BadReplyError(f"bytes_hex is not hexadecimal: {error}") from error


def _text(reply: Reply) -> str:
    """Bytes that are not UTF-8 become lone surrogates: they are shown, and equal no expected text."""
    if "bytes_hex" in reply:
        return _hex(reply).decode("utf-8", "surrogateescape")
    return str(_field(reply, "text", str))


def _encoding(reply: Reply, want: Sequence[str]) -> Answer:
    """The ids, and the columns of the capabilities that were asked for."""
    ids = _items(reply, "ids", _INTEGERS)
    columns = {name: _column(reply, name) for capability in want for name in COLUMNS[capability]}
    if "overflowing" not in reply:
        return Answer(ids, **columns)
    return Answer(
        ids, **columns, overflowing=[_encoding(part, want) for part in _items(reply, "overflowing", _OBJECTS)]
    )


# -- requests ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hello:
    """The first request; answered with who the engine is and what it claims."""

    op = "hello"

    def fields(self) -> Dict[str, object]:
        return {"protocol": PROTOCOL}

    def read(self, reply: Reply) -> Greeting:
        return _greeting(reply)


@dataclass(frozen=True)
class Greeting:
    """`handles`: how many tokenizers the engine can hold at a time."""

    info: EngineInfo
    handles: int


def _greeting(reply: Reply) -> Greeting:
    protocol = _field(reply, "protocol", int)
    if protocol != PROTOCOL:
        raise BadReplyError(f"protocol is {protocol}, this kit speaks {PROTOCOL}")
    engine = _field(reply, "engine", dict)
    claimed = _items(reply, "capabilities", _STRINGS)
    unknown = sorted(set(claimed) - set(CAPABILITIES))
    if unknown:
        raise BadReplyError(f"capabilities: {unknown[0]!r} is none; known: {', '.join(CAPABILITIES)}")
    policy = _field(reply, "invalid_utf8", str, None)
    if policy not in (None, "replace", "reject"):
        raise BadReplyError(f'invalid_utf8 is {policy!r}, where "replace" or "reject" belongs')
    build = _field(engine, "build", dict, None) or {}
    info = EngineInfo(
        _field(engine, "name", str),
        _field(engine, "version", str),
        frozenset(claimed),
        tuple(_items(reply, "formats", _STRINGS)) if "formats" in reply else ("tokenizer.json",),
        policy,
        {str(name): str(value) for name, value in build.items()},
    )
    return Greeting(info, max(1, _field(reply, "handles", int, None) or 1))


@dataclass(frozen=True)
class Load:
    """Open a tokenizer file under the handle."""

    path: str
    op = "load"

    def fields(self) -> Dict[str, object]:
        return {"path": self.path}

    def read(self, reply: Reply) -> bool:
        if not _field(reply, "loaded", bool):
            raise BadReplyError("loaded is false; a refusal is told as unsupported or error")
        return True


@dataclass(frozen=True)
class Encode:
    """Text (or bytes, which need not be UTF-8) to an `Answer`."""

    text: Text
    pair: Optional[str] = None
    add_special: bool = True
    limits: bool = False
    want: Tuple[str, ...] = ()
    op = "encode"

    def fields(self) -> Dict[str, object]:
        fields: Dict[str, object] = (
            {"text": self.text} if isinstance(self.text, str) else {"bytes_hex": self.text.hex()}
        )
        if self.pair is not None:
            fields["pair"] = self.pair
        fields["add_special"] = self.add_special
        if self.limits:
            fields["limits"] = True
        if self.want:
            fields["want"] = self.want
        return fields

    def read(self, reply: Reply) -> Answer:
        return _encoding(reply, self.want)


@dataclass(frozen=True)
class EncodeBatch:
    """Texts to one `Answer` each, padded as the file says."""

    texts: Tuple[str, ...]
    add_special: bool = True
    want: Tuple[str, ...] = ()
    op = "encode_batch"

    def fields(self) -> Dict[str, object]:
        return {"texts": self.texts, "add_special": self.add_special, "want": self.want}

    def read(self, reply: Reply) -> Tuple[Answer, ...]:
        batch = _items(reply, "batch", _OBJECTS)
        if len(batch) != len(self.texts):
            raise BadReplyError(f"batch holds {len(batch)} encodings for {len(self.texts)} texts")
        return tuple(_encoding(one, self.want) for one in batch)


@dataclass(frozen=True)
class Decode:
    """Ids to text."""

    ids: Tuple[int, ...]
    skip_special: bool = True
    op = "decode"

    def fields(self) -> Dict[str, object]:
        return {"ids": self.ids, "skip_special": self.skip_special}

    def read(self, reply: Reply) -> str:
        return _text(reply)


@dataclass(frozen=True)
class DecodeBytes:
    """Ids to bytes."""

    ids: Tuple[int, ...]
    skip_special: bool = True
    op = "decode_bytes"

    def fields(self) -> Dict[str, object]:
        return {"ids": self.ids, "skip_special": self.skip_special}

    def read(self, reply: Reply) -> bytes:
        return _hex(reply)


@dataclass(frozen=True)
class OpenStream:
    """Begin a stream under a number; a number used again replaces the stream that had it."""

    stream: int
    skip_special: bool = True
    op = "stream"

    def fields(self) -> Dict[str, object]:
        return {"stream": self.stream, "skip_special": self.skip_special}

    def read(self, reply: Reply) -> bool:
        return bool(_field(reply, "opened", bool))


@dataclass(frozen=True)
class Step:
    """One more id; the text that became certain with it, or None."""

    stream: int
    token: int
    op = "step"

    def fields(self) -> Dict[str, object]:
        return {"stream": self.stream, "token": self.token}

    def read(self, reply: Reply) -> Optional[str]:
        return None if reply.get("text", ...) is None else _text(reply)


@dataclass(frozen=True)
class Flush:
    """The end of a stream; what was withheld, or None."""

    stream: int
    op = "flush"

    def fields(self) -> Dict[str, object]:
        return {"stream": self.stream}

    def read(self, reply: Reply) -> Optional[str]:
        return None if reply.get("text", ...) is None else _text(reply)


@dataclass(frozen=True)
class ShowStages:
    """What each stage made of a text."""

    text: str
    op = "stages"

    def fields(self) -> Dict[str, object]:
        return {"text": self.text}

    def read(self, reply: Reply) -> Stages:
        names = ("segments", "normalized", "pieces", "tokens")
        found = {name: _items(reply, name, _STRINGS) for name in names if name in reply}
        ids = _items(reply, "ids", _INTEGERS) if "ids" in reply else None
        return Stages(**found, ids=ids)


@dataclass(frozen=True)
class VocabSize:
    """How many tokens there are."""

    with_added_tokens: bool = True
    op = "vocab_size"

    def fields(self) -> Dict[str, object]:
        return {"with_added_tokens": self.with_added_tokens}

    def read(self, reply: Reply) -> int:
        return int(_field(reply, "size", int))


@dataclass(frozen=True)
class IdToToken:
    """The token string of an id, None where there is none."""

    token: int
    op = "id_to_token"

    def fields(self) -> Dict[str, object]:
        return {"token": self.token}

    def read(self, reply: Reply) -> Optional[str]:
        return None if reply.get("text", ...) is None else _text(reply)


@dataclass(frozen=True)
class Lookup:
    """One history of prompt lookup: calls in, the drafts of the ``draft`` calls out."""

    rule: str
    asked: str  # options and calls as JSON, so that equal requests are equal values
    op = "lookup"

    @classmethod
    def of(cls, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]) -> Lookup:
        return cls(rule, _dump({"options": dict(options), "calls": [dict(call) for call in calls]}))

    def fields(self) -> Dict[str, object]:
        return {"rule": self.rule, **json.loads(self.asked)}

    def read(self, reply: Reply) -> Sequence[Sequence[int]]:
        drafts = _items(reply, "drafts", _LISTS)
        for number, draft in enumerate(drafts):
            if not _INTEGERS.issuperset(map(type, draft)):
                raise BadReplyError(f"drafts[{number}] is {json.dumps(draft)[:60]}, where ids belong")
        return list(drafts)


@dataclass(frozen=True)
class Template:
    """A chat template and a conversation in, the prompt out."""

    template: str
    asked: str  # messages and options as JSON, so that equal requests are equal values
    op = "template"

    @classmethod
    def of(cls, template: str, messages: object, options: Mapping[str, object]) -> Template:
        return cls(template, _dump({"messages": messages, "options": dict(options)}))

    def fields(self) -> Dict[str, object]:
        return {"template": self.template, **json.loads(self.asked)}

    def read(self, reply: Reply) -> str:
        return _text(reply)


@dataclass(frozen=True)
class Bye:
    """Nothing more will come."""

    op = "bye"

    def fields(self) -> Dict[str, object]:
        return {}

    def read(self, reply: Reply) -> bool:
        return bool(_field(reply, "bye", bool))
