"""A large JSON text piece by piece (``json.limits``).

As text and as Python's objects a file takes ten times its size. Nearly all of it is one object or
list, or two; these are cut between two items, and what remains is small.

Where an item begins can be told without reading what stands before: a quote that neither white
space nor one of ``,:]}`` follows opens a string, and the comma before it is no part of one. A text
that is cut wrongly nevertheless is no JSON, and neither are its parts: `NotInParts`, and whoever
reads it whole says why.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Pattern, Tuple, TypeVar

from .text import Document, Reader, Repeated

LARGE = 1 << 20
"""Files above this many bytes are read in parts."""
SIZE = 1 << 16
"""Bytes of a part: few, so that memory that is warm is used again and again."""
CLOSING = {b"{": b"}", b"[": b"]"}
_TRIES = 16
_INDENTATION = re.compile(rb"\n[ \t]*")
_BACKSLASHES = re.compile(rb'\\\\*": ')  # in this spelling the search for the first one is quick
_MOST = 2 << 20
"""Bytes that are read at once, where there is no border, and of what remains."""
T = TypeVar("T")


class NotInParts(Exception):  # noqa: N818 - a way out, not a fault
    """The text has to be read whole."""


# What sends a reader to the whole text.
WHOLE = (NotInParts, ValueError, KeyError, TypeError, OverflowError, RecursionError)


def is_large(data: bytes) -> bool:
    """Whether Python's reader would take too much memory for all of it."""
    return len(data) > LARGE


def in_parts(data: bytes, read: Callable[[Reader], T]) -> Optional[T]:
    """What `read` makes of a large text; None where it has to be read whole, which tells what is wrong."""
    if not is_large(data):
        return None
    reader = Reader(data)
    try:
        reader.refuse_lone_surrogates()
        return read(reader)
    except WHOLE:
        return None


def _border(first: bytes) -> Pattern[bytes]:
    """The comma before a string (or a key), or before a list or object that begins with one."""
    opening = rb"\%b\s*" % first if first in CLOSING else b""
    return re.compile(rb',\s*(?=%b"[^,:\]}\s"])' % opening)


def _numbers(inside: bytes, reader: Reader) -> Optional[Dict[str, int]]:
    """The items of an object read as a list, in half the time; None unless it holds numbers, each key once.

    Every ``": `` that ends a string becomes ``",``. If that is a list of strings and numbers in turns, and
    as many were replaced as there are strings, then a colon stood behind each string, and nowhere else.
    """
    flat = inside.replace(b'": ', b'",')
    count = len(inside) - len(flat)
    if not count or any(len(found[0]) % 2 == 0 for found in _BACKSLASHES.finditer(inside)):  # inside a string
        return None
    try:
        items = reader.decoder.decode((b"[" + flat + b"]").decode("utf-8"))
    except ValueError:
        return None
    keys, values = items[::2], items[1::2]
    if len(keys) != count or set(map(type, keys)) != {str} or set(map(type, values)) != {int}:
        return None
    found = dict(zip(keys, values))
    return found if len(found) == len(values) == count else None


class Part:
    """An object of integers, or a list: `chunks` gives it piece by piece, and then `end` is behind it."""

    def __init__(self, data: bytes, start: int, reader: Reader) -> None:
        self.data, self.start, self.end, self.reader = data, start, start, reader
        self.kind = data[start : start + 1]

    def chunks(self) -> Iterator[Any]:
        """Objects or lists of consecutive items, none of them empty but the only one."""
        data, at, closing = self.data, self.start + 1, CLOSING[self.kind]
        border = _border(data[at : at + SIZE].lstrip()[:1] if closing == b"]" else b"")
        last_line = self._indentation() + closing
        while True:
            last = data.find(last_line, at, at + SIZE)
            cut = border.search(data, at + SIZE) if last < 0 else None
            stop = cut.start() if cut else len(data) if last < 0 else last
            if stop - at > _MOST + SIZE:
                raise NotInParts
            value, used = self._read(data[at:stop])
            if used or last >= 0:
                self.end = at + used if used else last + len(last_line)
                yield value
                return
            if not cut or not value:
                raise NotInParts
            yield value
            at = cut.end()

    def _read(self, inside: bytes) -> Tuple[Any, int]:
        """The items, and where the bracket closes that encloses them; 0 where it does not."""
        found = _numbers(inside, self.reader) if self.kind == b"{" else None
        if found:
            return found, 0
        text = (self.kind + inside + CLOSING[self.kind]).decode("utf-8")
        value, used = self.reader.decoder.raw_decode(text)
        if self.kind == b"{" and (isinstance(value, Repeated) or not set(map(type, value.values())) <= {int}):
            raise NotInParts
        return value, len(text[: used - 1].encode("utf-8")) if used < len(text) else 0

    def _indentation(self) -> bytes:
        """What stands before the closing bracket where each item has a line; no string holds a line end."""
        found = _INDENTATION.match(self.data, max(self.data.rfind(b"\n", 0, self.start), 0))
        return found[0] if found else b"\n"


def find_part(data: bytes, key: str, reader: Reader, start: int, end: int) -> Optional[Part]:
    """The first object or list with this key in a range; where a key stands no string can be."""
    name = b'"%b"' % key.encode()
    opening = re.compile(rb"\s*:\s*(?=[\[{])")
    for _ in range(_TRIES):
        at = data.find(name, start, end)
        if at < 0:
            return None
        found = opening.match(data, at + len(name))
        if found:
            return Part(data, found.end(), reader)
        start = at + 1
    return None


def remaining(reader: Reader, parts: Mapping[str, Part]) -> Document:
    """The text with a mark for each part, which has been gone through: ``mark(name)``."""
    data = reader.data
    pieces, at = [], 0
    for name, part in sorted(parts.items(), key=lambda entry: entry[1].start):
        pieces += [data[at : part.start], b'"\\u0000in parts %b"' % name.encode()]
        at = part.end
    text = b"".join([*pieces, data[at:]])
    if len(text) > _MOST or text.count(b"\\u0000in parts") != len(parts):
        raise NotInParts
    document = reader.document(text.decode("utf-8"))
    if document.has_repeats:
        raise NotInParts
    return document


def mark(name: str) -> str:
    """What stands for a part."""
    return f"\0in parts {name}"
