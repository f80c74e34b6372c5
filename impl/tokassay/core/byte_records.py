"""The records of a vocab.bin in memory: proven in structure at once, taken apart when somebody asks.

A record is ``<u32 id><u16 length><bytes>``, little-endian. Clauses: ``vocab-bin.*``.
"""

from __future__ import annotations

import struct
from array import array
from functools import cached_property
from itertools import chain, count, repeat
from operator import eq, sub
from typing import AbstractSet, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from .description import Warning as Oddity
from .errors import FormatError

HEADER = 4
FRAME = 6
LONGEST = 0xFFFF
HEAD = 4
SHORT = (0, 0xFF, 0xFFFF, 0xFFFFFF)
"""Masks: as many bytes as a short entry has."""


class Record(NamedTuple):
    """One record as it stands in the file: `offset` is that of its first byte."""

    offset: int
    id: int
    stored: bytes


class Records:
    """The whole file. Two are equal when they store the same bytes for every id, in whatever order.

    Attributes:
        data: the file's bytes.
        count: what the file says: how many records, and how many ids.
        end: where the last record ends; what lies behind it is not read.
    """

    def __init__(self, data: bytes) -> None:
        """Raises FormatError (field and offset) unless every record lies inside `data`."""
        self.data = data
        self.count = _count(data)
        self._starts, self.end = _walk(data, self.count)

    @classmethod
    def of(cls, strings: Sequence[bytes]) -> Records:
        """The records of ids 0, 1, ... Raises FormatError for a string over 65,535 bytes."""
        return cls(pack(strings))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Records) and (
            self.data == other.data or (self.count == other.count and self.strings == other.strings)
        )

    def __hash__(self) -> int:
        return hash(self.count)

    @property
    def _ends(self) -> Iterator[int]:
        return chain(map(sub, self._starts[1:], repeat(FRAME)), (self.end,))

    @cached_property
    def _stored(self) -> List[bytes]:
        """The strings in the order of the file."""
        return list(map(self.data.__getitem__, map(slice, self._starts, self._ends)))

    def _ids(self) -> Iterator[int]:
        """In the order of the file."""
        read = struct.Struct("<I").unpack_from
        return chain.from_iterable(map(read, repeat(self._padded), self._starts))

    @property
    def _padded(self) -> bytes:
        """With as much in front that a record begins where its bytes do in `data`, and a head behind."""
        return bytes(FRAME) + self.data + bytes(HEAD)

    @cached_property
    def in_order(self) -> bool:
        """Whether the ids are 0, 1, ... in the order of the file."""
        return all(map(eq, self._ids(), count()))

    @cached_property
    def strings(self) -> List[bytes]:
        """Id → stored bytes; empty for a hole. Of two records with one id the later one counts."""
        if self.in_order:
            return self._stored
        found = [b""] * self.count
        for index, stored in zip(self._ids(), self._stored):
            if index < self.count:
                found[index] = stored
        return found

    def beginning(self, heads: AbstractSet[int]) -> Optional[Dict[bytes, int]]:
        """Stored bytes that begin with some bytes → smallest id; None unless ids are 0, 1, ... in order.

        `heads`: the first `HEAD` bytes, or all of fewer, as little-endian numbers (`head_of`).
        """
        frames = map(struct.Struct("<IHI").unpack_from, repeat(self._padded), self._starts)
        places = [
            place if index == place else -1
            for place, (index, length, head) in enumerate(frames)
            if (head if length >= HEAD else head & SHORT[length]) in heads or index != place
        ]
        if -1 in places:
            return None
        starts, data = self._starts, self.data
        spans = ((place, starts[place]) for place in reversed(places))  # of equal entries the first stays
        found = {data[start : start + (data[start - 2] | data[start - 1] << 8)]: i for i, start in spans}
        found.pop(b"", None)
        return found

    def __iter__(self) -> Iterator[Record]:
        """The records in the order of the file."""
        for start, index, stored in zip(self._starts, self._ids(), self._stored):
            yield Record(start - FRAME, index, stored)

    def oddities(self) -> Iterator[Oddity]:
        """What the loader takes in silence, in the order of the file, then holes."""
        if self.end != len(self.data):
            yield Oddity("entries", f"{len(self.data) - self.end} bytes follow the last one", self.end)
        ids: Dict[int, int] = {}
        texts: Dict[bytes, int] = {}
        for place, record in enumerate(self):
            yield from _oddities(record, f"entries[{place}]", self.count, ids, texts)
            ids[record.id] = record.offset
            if record.stored:
                texts.setdefault(record.stored, record.id)
        missing = self.count - sum(index < self.count for index in ids)
        if missing:
            first = next(index for index in range(self.count) if index not in ids)
            yield Oddity("entries", f"{missing} ids have no entry (first: {first})")


def heads_in(data: bytes) -> Set[int]:
    """The heads of all entries that can stand somewhere in `data`."""
    read = struct.Struct("<I").unpack_from
    whole = set(chain.from_iterable(map(read, repeat(data + bytes(HEAD - 1)), range(len(data)))))
    return whole | {head & mask for mask in SHORT for head in whole}


def head_of(entry: bytes) -> int:
    """The first `HEAD` bytes, or all of fewer, as a little-endian number."""
    return int.from_bytes(entry[:HEAD], "little")


def _oddities(
    record: Record, field: str, count: int, ids: Dict[int, int], texts: Dict[bytes, int]
) -> Iterator[Oddity]:
    if record.id >= count:
        yield Oddity(f"{field}.id", f"{record.id} is not below the count {count}: ignored", record.offset)
        return
    if record.id in ids:
        reason = f"{record.id} came before, at byte {ids[record.id]}: the later one counts"
        yield Oddity(f"{field}.id", reason, record.offset)
    if not record.stored:
        yield Oddity(f"{field}.bytes", f"id {record.id} has no bytes: it is never matched", record.offset)
    elif record.stored in texts and not is_marker(record.stored):
        reason = f"ids {texts[record.stored]} and {record.id} have the same bytes: the smaller id is matched"
        yield Oddity(f"{field}.bytes", reason, record.offset)


def is_marker(stored: bytes) -> bool:
    """U+0100..U+0120: a byte 00..20 and the character itself share it (``vocab-bin.bytes.markers``)."""
    return len(stored) == 2 and stored[0] == 0xC4 and 0x80 <= stored[1] <= 0xA0


def _count(data: bytes) -> int:
    if len(data) < HEADER:
        raise FormatError(f"{len(data)} bytes; a count takes {HEADER}", field="count", offset=len(data))
    count = int.from_bytes(data[:HEADER], "little")
    if count == 0:
        raise FormatError("no entries", field="count", offset=0)
    most = (len(data) - HEADER) // FRAME
    if count > most:
        raise FormatError(f"{count} entries; the file has room for {most}", field="count", offset=0)
    return count


def _walk(data: bytes, count: int) -> Tuple[array[int], int]:
    """Where the bytes of each record start, and where the last ones end."""
    starts = array("L")
    append = starts.append
    position = HEADER
    try:
        for _ in repeat(None, count):
            position += FRAME
            append(position)
            position += data[position - 2] | data[position - 1] << 8
    except IndexError:
        raise _truncated(starts, position - FRAME, len(data), count) from None
    if position > len(data):
        raise _truncated(starts, starts[-1] - FRAME, len(data), count)
    return starts, position


def _truncated(starts: array[int], begin: int, size: int, count: int) -> FormatError:
    """The walk may have jumped over the end one record before it noticed."""
    place = len(starts) - 1
    if begin > size:
        place, begin = place - 1, starts[-2] - FRAME
    reason = f"the file ends at byte {size}, within this entry or before it ({place} of {count} are whole)"
    return FormatError(reason, field=f"entries[{place}]", offset=begin)


def pack(strings: Iterable[bytes], ids: Iterable[int] = ()) -> bytes:
    """The file's bytes, records in the order given; `ids` default to 0, 1, ..."""
    strings = list(strings)
    numbers = list(ids) or range(len(strings))
    parts = [len(strings).to_bytes(4, "little")]
    for index, stored in zip(numbers, strings):
        if len(stored) > LONGEST:
            reason = f"{len(stored)} bytes; a length field holds {LONGEST}"
            raise FormatError(reason, field=f"entries[{index}].bytes")
        parts.append(struct.pack("<IH", index, len(stored)) + stored)
    return b"".join(parts)
