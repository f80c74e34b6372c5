"""What stands in a tokenizer.txt, before anybody says what it means (clauses ``tokenizer-txt.*``)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Callable, Iterable, Iterator, List, Mapping, Sequence, Tuple, Union

from ...core.description import Device
from ...core.description import Warning as Oddity
from ...core.models.pieces import Kind, Piece, PieceColumns
from ...core.packed import Column, kept, tokens
from ...core.packed import Strings as Block
from .lines import Lines

MAGIC = 430
_FIRST = re.compile(rb"430 +[0-3] *\r?\n")
_FLOAT = re.compile(rb"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


class Type(IntEnum):
    """The second number of the first line."""

    SENTENCEPIECE = 0
    TIKTOKEN = 1
    BERT = 2
    HUGGINGFACE = 3


@dataclass(frozen=True)
class Pieces:
    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Strings:
    strings: Sequence[bytes]


@dataclass(frozen=True)
class Words:
    words: Sequence[str]


@dataclass(frozen=True)
class Merged:
    tokens: Sequence[str]
    merges: Sequence[Tuple[str, str]]


Body = Union[Pieces, Strings, Words, Merged]


@dataclass(frozen=True)
class Contents:
    """One file."""

    lists: Device
    body: Body
    notes: Tuple[Oddity, ...] = ()


def probe(data: bytes) -> bool:
    """The first line is 430 and a type."""
    return _FIRST.match(data) is not None


def read(data: bytes) -> Contents:
    """FormatError with field and offset for what is not as documented."""
    lines = Lines(data)
    first = lines.numbers("header")
    if len(first) != 2 or first[0] != MAGIC or first[1] not in tuple(Type):
        lines.fail("header", f"expected {MAGIC} and a type in 0..3, got {list(first)}")
    lists = _lists(lines)
    notes: List[Oddity] = []
    body = _BODIES[Type(first[1])](lines, notes)
    if lines.left:
        notes.append(Oddity("vocab", f"{lines.left} bytes follow the last line", lines.next))
    return Contents(lists, body, tuple(notes))


def _lists(lines: Lines) -> Device:
    counts = lines.numbers("header.counts")
    if len(counts) != 3:
        lines.fail("header.counts", f"expected three counts, got {len(counts)}")
    ids = lines.numbers("header.ids")
    if len(ids) != sum(counts):
        lines.fail("header.ids", f"the counts say {sum(counts)} ids, the line has {len(ids)}")
    special, stop = counts[0], counts[0] + counts[1]
    return Device(ids[:special], ids[special:stop], ids[stop:])


def _pieces(lines: Lines, notes: List[Oddity]) -> Pieces:
    count = lines.count("vocab_size")
    found = PieceColumns()
    for place in range(count):
        if place == count - 1 and not lines.left:
            reason = f"says {count}; the file has one piece less"
            notes.append(Oddity("vocab_size", reason, lines.at))
            break
        found.append(_piece(lines, f"vocab[{place}]"))
    return Pieces(found)  # objects are made once, of what the description holds


def _piece(lines: Lines, field: str) -> Piece:
    parts = lines.line(field).split(b" ")
    if len(parts) != 3:
        lines.fail(field, f"expected a token, a score and a kind, got {len(parts)} parts")
    text = lines.text(lines.unpacked(parts[0], f"{field}.token"), f"{field}.token")
    score = float(parts[1]) if _FLOAT.fullmatch(parts[1]) else math.nan
    if not math.isfinite(score):
        lines.fail(f"{field}.score", f"expected a finite number, got {parts[1][:20]!r}")
    if parts[2] not in (b"1", b"2", b"3", b"4", b"5", b"6"):
        lines.fail(f"{field}.kind", f"expected a kind in 1..6, got {parts[2][:20]!r}")
    return Piece(text, score, Kind(int(parts[2])))


def _strings(lines: Lines, _: List[Oddity]) -> Strings:
    fields = map("vocab[{}]".format, range(lines.count("vocab_size")))
    return Strings(kept(Block(lines.unpacked(lines.line(field), field) for field in fields)))


def _words(lines: Lines, _: List[Oddity]) -> Words:
    fields = map("vocab[{}]".format, range(lines.count("vocab_size")))
    packed = (lines.unpacked(lines.line(field), field) for field in fields)
    return Words(texts(lines, packed, "vocab"))


def texts(lines: Lines, found: Iterable[bytes], name: str) -> Sequence[str]:
    """UTF-8, each from a line of its own. FormatError."""
    block = Block()
    for string in found:
        lines.text(string, f"{name}[{len(block)}]")
        block.append(string)
    return tokens(block)


def _merged(lines: Lines, notes: List[Oddity]) -> Merged:
    counts = lines.numbers("vocab_size")
    if len(counts) != 2:
        lines.fail("vocab_size", f"expected the counts of tokens and merges, got {len(counts)} numbers")
    lines.fitting(sum(counts), "vocab_size")
    fields = map("vocab[{}]".format, range(counts[0]))
    words = texts(lines, map(lines.line, fields), "vocab")
    start, count = lines.next, counts[1]
    for place in range(counts[1]):
        field = f"merges[{place}]"
        line = lines.text(lines.line(field), field)
        if place == 0 and line.startswith("#version"):
            notes.append(Oddity(field, "is the version line of a merges.txt, and no merge", lines.at))
            start, count = lines.next, count - 1
            continue
        left, blank, right = line.partition(" ")
        if not blank or not left or not right or " " in right:
            lines.fail(field, "expected two tokens and one blank between them")
    return Merged(words, MergeLines(lines.data, start, count))


@dataclass(frozen=True, eq=False)
class MergeLines(Column[Tuple[str, str]]):
    """Lines that were read once and are read again: they are as many strings as the file has."""

    data: bytes
    start: int
    size: int

    def _lines(self) -> Iterator[Tuple[int, str]]:
        lines = Lines(self.data)
        lines.next = self.start
        for _ in range(self.size):
            line = lines.line("merges").decode("utf-8")
            yield lines.at, line

    def offset(self, place: int) -> int:
        """Where a line begins."""
        return next(islice(self._lines(), place, None))[0]

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Tuple[str, str]]:
        for _, line in self._lines():
            left, _, right = line.partition(" ")
            yield left, right

    def _at(self, place: int) -> Tuple[str, str]:
        return next(islice(self, place, None))


_BODIES: Mapping[Type, Callable[[Lines, List[Oddity]], Body]] = {
    Type.SENTENCEPIECE: _pieces,
    Type.TIKTOKEN: _strings,
    Type.BERT: _words,
    Type.HUGGINGFACE: _merged,
}
