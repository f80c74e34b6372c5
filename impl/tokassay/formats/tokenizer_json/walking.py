"""A large JSON text value by value, in little more memory than its bytes take (``json.limits``).

For what is too large for Python's reader and not as `parts` expects it: an odd file, or a wrong one.
Slow and bounded. What Python's reader says of a fault is asked of itself, with a few bytes of the text.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Pattern, Tuple, Union

from ...core.errors import FormatError
from .numbers import read_number
from .places import field_at
from .text import MAX_DEPTH, Reader

LONGEST = 1 << 24
"""Bytes of one string."""
SPARE = 24 << 20
"""Bytes that values may take as objects, beside as many as the file has."""
_A_LIST, _AN_OBJECT, _AN_ENTRY, _A_VALUE = 100, 400, 100, 60
_SPACE = re.compile(rb"[ \t\n\r]*")
# Groups are repeated a few dozen times at once: `re` keeps a state for each time.
_OF_STRING = re.compile(rb'[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*){0,64}')
_SHORT = rb'(?:"[^"\\\x00-\x1f]*"|-?[1-9][0-9]{0,17}|0|-?[0-9]{1,9}\.[0-9]{1,30}|\[\]|\{\}|true|false|null)'
_SHORT_VALUES = re.compile(rb"(?:%b[ \t\n\r]*,[ \t\n\r]*){1,64}" % _SHORT)
_SHORT_ENTRIES = re.compile(
    rb'(?:"[^"\\\x00-\x1f]*"[ \t\n\r]*:[ \t\n\r]*%b[ \t\n\r]*,[ \t\n\r]*){1,64}' % _SHORT
)
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?P<real>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")
_WORD = re.compile(rb"true|false|null|NaN|-?Infinity")
_WORDS = {b"true": True, b"false": False, b"null": None}
_CLOSING = {"{": b"}", "[": b"]"}
_ITEM = {"{": '"":0 ', "[": "0 "}

Path = Tuple[str, ...]
Key = Union[str, int]


class Span(NamedTuple):
    """An object or list that was gone through and not kept: its bytes begin at `start`."""

    reader: Reader
    start: int
    end: int

    @property
    def kind(self) -> str:
        return chr(self.reader.data[self.start])

    def __iter__(self) -> Iterator[Tuple[Key, Any]]:  # type: ignore[override]
        """Key or index, and value."""
        walker = Walker(self.reader)
        walker.at = self.start
        for key in walker.items(0):
            walker.spent = 0
            yield key, walker.value(1)

    def whole(self) -> Any:
        """The value as Python's reader gives it; for short ones."""
        return self.reader.decoder.decode(self.reader.data[self.start : self.end].decode("utf-8"))


class Walker:
    """Reads forward. Every method raises FormatError with the offset of what is wrong."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.data, self.at, self.spent = reader, reader.data, 0, 0
        self.before = ""  # something short for what stands before `at`

    def document(self, apart: Callable[[Path], bool]) -> Any:
        """The whole text, with a `Span` for each object or list in some places."""
        value = self._member((), apart, 0)
        self.before = "0 "
        if self._first():
            raise self._fault()
        return value

    def _member(self, path: Path, apart: Callable[[Path], bool], depth: int) -> Any:
        first = self._first()
        if first in (b"{", b"[") and apart(path):
            start = self.at
            self.skip(depth)
            return Span(self.reader, start, self.at)
        if first != b"{" or depth > 1:
            return self.value(depth)
        members = ((str(key), self._member((*path, str(key)), apart, depth + 1)) for key in self.items(depth))
        return self._object(list(members))

    def value(self, depth: int) -> Any:
        """The next value; `depth`: how many containers are around it."""
        first = self._first()
        if first == b'"':
            return self._string()
        if first == b"[":
            self._spend(_A_LIST)
            return [self.value(depth + 1) for _ in self.items(depth)]
        if first == b"{":
            return self._object([(str(key), self.value(depth + 1)) for key in self.items(depth)])
        self._spend(_A_VALUE)
        return self._scalar()

    def _object(self, pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
        self._spend(_AN_OBJECT + _AN_ENTRY * len(pairs))
        return self.reader.object(pairs)

    def skip(self, depth: int) -> None:
        """Over the next value, which is not kept."""
        first = self._first()
        if first == b'"':
            self.at = self._string_end()
        elif first in (b"[", b"{"):
            for _ in self.items(depth, _SHORT_VALUES if first == b"[" else _SHORT_ENTRIES):
                self.skip(depth + 1)
        else:
            self._scalar()

    def items(self, depth: int, short: Optional[Pattern[bytes]] = None) -> Iterator[Key]:
        """Key or index of each item, whose value has to be read before the next one is asked for.

        `short`: matches several short items that need not be looked at.
        """
        if depth >= MAX_DEPTH:
            raise self._placed("is nested too deeply", self.at)
        kind, place = chr(self.data[self.at]), 0
        item, closing = _ITEM[kind], _CLOSING[kind]
        self._pass(kind)
        while place or self._first() != closing:
            place += self._pass_short(short, kind) if short else 0
            yield place if kind == "[" else self._key()
            place, self.before = place + 1, kind + item
            following = self._first()
            if following == closing:
                break
            if following != b",":
                raise self._fault()
            self._pass(f"{kind}{item},")
        self.at += 1

    def _pass(self, before: str) -> None:
        """Over one byte; `before`: what then stands before."""
        self.at, self.before = self.at + 1, before

    def _pass_short(self, short: Pattern[bytes], kind: str) -> int:
        """How often several were passed over."""
        times = 0
        self._first()
        while found := short.match(self.data, self.at):
            self.at, self.before, times = found.end(), f"{kind}{_ITEM[kind]},", times + 1
        return times

    def _key(self) -> str:
        if self._first() != b'"':
            raise self._fault()
        key, self.before = self._string(), '{""'
        if self._first() != b":":
            raise self._fault()
        self._pass('{"":')
        return key

    def _first(self) -> bytes:
        """The next byte that is no space."""
        found = _SPACE.match(self.data, self.at)
        self.at = found.end() if found else self.at
        return self.data[self.at : self.at + 1]

    def _string_end(self) -> int:
        at = self.at + 1
        while True:
            found = _OF_STRING.match(self.data, at)
            stop = found.end() if found else at
            if self.data[stop : stop + 1] == b'"':
                return stop + 1
            if stop == at or stop == len(self.data):
                raise self._in_string(stop)
            at = stop

    def _in_string(self, stop: int) -> FormatError:
        """The fault at which a string stops."""
        fault = self._read('"', stop)
        return (
            fault
            if stop < len(self.data) and fault.offset != stop - 1
            else self._read(self.before, self.at, 2)
        )

    def _string(self) -> str:
        start, self.at = self.at, self._string_end()
        if self.at - start > LONGEST:
            raise self._placed(f"a string of {self.at - start} bytes, {LONGEST} are read", start)
        text = self.data[start : self.at].decode("utf-8")
        found = str(json.loads(text)) if "\\" in text else text[1:-1]
        self._spend(sys.getsizeof(found) + 20)
        return found

    def _scalar(self) -> Any:
        word = _WORD.match(self.data, self.at)
        if word and word[0] not in _WORDS:
            raise self._placed(f"invalid JSON: {word[0].decode()} is not a JSON number", self.at)
        found = word or _NUMBER.match(self.data, self.at)
        if found is None:
            raise self._fault()
        start, self.at = self.at, found.end()
        return _WORDS[word[0]] if word else self._number(found[0].decode(), bool(found["real"]), start)

    def _number(self, text: str, real: bool, start: int) -> Any:
        if not real and len(text) < 19 and text != "-0":
            return int(text)
        try:
            approximate = read_number(text)
            return approximate if real else self.reader.whole_number(text)
        except ValueError as error:
            raise self._placed("invalid JSON: number out of range", start) from error

    def _spend(self, size: int) -> None:
        self.spent += size
        if self.spent > SPARE + len(self.data):
            raise self._placed(
                "values beside vocabulary, merges and added tokens take too much memory", self.at
            )

    def _placed(self, reason: str, at: int) -> FormatError:
        return FormatError(reason, field=field_at(self.data, at) or None, offset=at)

    def _fault(self) -> FormatError:
        """What is wrong with the text from here on."""
        return self._read(self.before, self.at)

    def _read(self, before: str, begin: int, size: int = 64) -> FormatError:
        """What Python's reader says of a few bytes behind something short."""
        text = self.data[begin : begin + size].decode("utf-8", "ignore")
        try:
            self.reader.decoder.decode(before + text)
        except json.JSONDecodeError as error:
            used = error.pos - len(before)
            reason = f"invalid JSON: {error.msg}"
        else:
            raise AssertionError(f"nothing is wrong with {before + text!r}")
        if used >= 0:
            return FormatError(reason, offset=begin + len(text[:used].encode("utf-8")))
        comma = before.endswith(",")  # of which newer readers speak, not of what follows
        return FormatError(reason, offset=self.data.rfind(b",", 0, begin) if comma else begin - 1)


def check_utf8(data: bytes, size: int) -> None:
    """FormatError with the offset, a few bytes at a time."""
    at = 0
    while at < len(data):
        end = min(at + size, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80 and end - at < size + 4:
            end += 1
        try:
            data[at:end].decode("utf-8")
        except UnicodeDecodeError as error:
            raise FormatError(f"invalid UTF-8: {error.reason}", offset=at + error.start) from error
        at = end
