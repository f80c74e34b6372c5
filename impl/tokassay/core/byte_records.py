"""The records of a vocab.bin in memory: proven in structure at once, taken apart when somebody asks.

A record is ``<u32 id><u16 length><bytes>``, little-endian. Clauses: ``vocab-bin.*``.
"""

from __future__ import annotations

import struct
from array import array
from functools import cached_property
from itertools import chain, compress, count, repeat
from operator import eq, sub
from typing import Dict, Iterable, Iterator, List, NamedTuple, Sequence, Tuple

from .description import Warning as Oddity
from .errors import FormatError

HEADER = 4
FRAME = 6
LONGEST = 0xFFFF


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
        """In the order of the file. Padding moves an entry's frame to where its bytes start."""
        read = struct.Struct("<I").unpack_from
        return chain.from_iterable(map(read, repeat(bytes(FRAME) + self.data), self._starts))

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

    def starting(self, firsts: bytes) -> Dict[bytes, int]:
        """Stored bytes that start with one of some bytes → smallest id. Only for ids in order."""
        wanted = bytes(byte in firsts for byte in range(256))
        first = bytes(map((self.data + b"\0").__getitem__, self._starts)).translate(wanted)
        spans = map(slice, compress(self._starts, first), compress(self._ends, first))
        strings = list(map(self.data.__getitem__, spans))
        found = dict(zip(reversed(strings), reversed(list(compress(range(self.count), first)))))
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
