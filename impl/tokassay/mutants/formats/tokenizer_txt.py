"""Readers of tokenizer.txt broken: lines, the header, the kind of a file."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator

from tokassay.mutants._fault import Fault, Reading


def _text(change: Callable[[bytes], bytes]) -> Reading:
    """For tokenizer.txt only."""
    return lambda data: change(data) if re.match(rb"430 +[0-3]", data) else data


def faults() -> Iterator[Fault]:
    header, lines = "tokenizer-txt.header", "tokenizer-txt.lines.ends"
    yield Fault(
        "carriage-returns-kept",
        "CR is a part of a line",
        lines,
        reading=_text(lambda data: data.replace(b"\r\n", b"\\r\n")),
    )
    yield Fault(
        "last-line-lost",
        "a last line without LF is not read",
        lines,
        reading=_text(lambda data: data if data.endswith(b"\n") else data[: data.rfind(b"\n") + 1]),
    )
    yield Fault(
        "header-lists-empty",
        "the ids of the header are not read",
        header,
        reading=_text(lambda data: _header(data, lambda _: (b"0 0 0", b""))),
    )
    yield Fault(
        "special-is-prefix",
        "the counts of the header are read in reverse",
        header,
        reading=_text(
            lambda data: _header(data, lambda lines: (b" ".join(lines[0].split()[::-1]), lines[1]))
        ),
    )
    yield Fault(
        "type-0-is-1",
        "pieces are read as byte strings",
        header,
        reading=_text(lambda data: re.sub(rb"^430 +0", b"430 1", data)),
    )
    yield Fault(
        "type-1-is-2",
        "byte strings are read as words",
        header,
        reading=_text(lambda data: re.sub(rb"^430 +1", b"430 2", data)),
    )
    yield Fault(
        "type-2-is-1",
        "words are read as byte strings",
        header,
        reading=_text(lambda data: re.sub(rb"^430 +2", b"430 1", data)),
    )
    yield Fault(
        "first-entry-lost",
        "the first line of the vocabulary is taken for its count",
        "tokenizer-txt.tiktoken.layout",
        reading=_text(_without_first),
    )
    yield Fault(
        "blank-lines-skipped",
        "empty lines are no entries",
        lines,
        reading=_text(lambda data: re.sub(rb"(?<=\n)\n(?=.*\n)", b"", data)),
    )


def _header(data: bytes, change: Callable[[Any], Any]) -> bytes:
    parts = data.split(b"\n", 3)
    if len(parts) < 4:
        return data
    return b"\n".join((parts[0], *change(parts[1:3]), parts[3]))


def _without_first(data: bytes) -> bytes:
    parts = data.split(b"\n")
    if len(parts) < 6 or not parts[3].strip().isdigit():
        return data
    return b"\n".join((*parts[:3], str(int(parts[3]) - 1).encode(), *parts[5:]))
