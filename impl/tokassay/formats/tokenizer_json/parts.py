"""A large JSON text a megabyte at a time (``json.limits``).

As text and as Python's objects a file takes ten times its size. Nearly all of it is one object or
list, or two; these are cut between two items, and what remains is small.

Where an item begins can be told without reading what stands before: a quote that neither white
space nor one of ``,:]}`` follows opens a string, and the comma before it is no part of one. A text
that is cut wrongly nevertheless is no JSON, and neither are its parts: `NotInParts`, and whoever
reads it whole says why.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator, Mapping, Optional, Pattern, TypeVar

from .text import Document, Reader

SIZE = 1 << 20
CLOSING = {b"{": "}", b"[": "]"}
_TRIES = 16
_MOST = 2 << 20
"""Bytes that are read at once, where there is no border, and of what remains."""
T = TypeVar("T")


class NotInParts(Exception):  # noqa: N818 - a way out, not a fault
    """The text has to be read whole."""


# What sends a reader to the whole text.
WHOLE = (NotInParts, ValueError, KeyError, TypeError, OverflowError, RecursionError)


def is_large(data: bytes) -> bool:
    """Whether Python's reader would take too much memory for all of it."""
    return len(data) > SIZE


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


class Part:
    """An object or list: `chunks` gives it piece by piece, and then `end` is behind it."""

    def __init__(self, data: bytes, start: int, reader: Reader) -> None:
        self.data, self.start, self.end, self.reader = data, start, start, reader
        self.kind = data[start : start + 1]

    def chunks(self) -> Iterator[Any]:
        """Objects or lists of consecutive items, none of them empty but the only one."""
        data, at, closing = self.data, self.start + 1, CLOSING[self.kind]
        border = _border(data[at : at + SIZE].lstrip()[:1] if closing == "]" else b"")
        while True:
            cut = border.search(data, at + SIZE)
            if (cut.start() if cut else len(data)) - at > _MOST + SIZE:
                raise NotInParts
            text = data[at : cut.start() if cut else len(data)].decode("utf-8")
            value, used = self.reader.decoder.raw_decode(f"{self.kind.decode()}{text}{closing}")
            if used < len(text) + 2:
                self.end = at + len(text[: used - 1].encode("utf-8"))
                yield value
                return
            if not cut or not value:
                raise NotInParts
            yield value
            at = cut.end()


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
    if b"\\u0000in parts" in data:
        raise NotInParts
    pieces, at = [], 0
    for name, part in sorted(parts.items(), key=lambda entry: entry[1].start):
        pieces += [data[at : part.start], b'"\\u0000in parts %b"' % name.encode()]
        at = part.end
    if sum(map(len, pieces)) + len(data) - at > _MOST:
        raise NotInParts
    document = reader.document(b"".join([*pieces, data[at:]]).decode("utf-8"))
    if document.has_repeats:
        raise NotInParts
    return document


def mark(name: str) -> str:
    """What stands for a part."""
    return f"\0in parts {name}"
