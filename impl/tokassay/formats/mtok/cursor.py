"""Reading and writing the basic types of a .mtok file (clauses ``mtok.types.*``)."""

from __future__ import annotations

import struct
from typing import Callable, Tuple, TypeVar

from ...core.errors import FormatError

T = TypeVar("T")
LONGEST = 65_535
LONGEST_TEXT = 16 << 20
MOST_PARTS = 1024
DEEPEST = 32


class Cursor:
    """A place in a file. Every reader names its field, and every fault its offset."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at, self.depth = data, at, 0

    def fault(self, reason: str, field: str, at: int) -> FormatError:
        return FormatError(reason, field=field, offset=at)

    @property
    def left(self) -> int:
        """Bytes up to the end of the file."""
        return len(self.data) - self.at

    def take(self, size: int, field: str) -> bytes:
        start, end = self.at, self.at + size
        if end > len(self.data):
            raise self.fault(f"the file ends: {size} bytes wanted, {self.left} left", field, start)
        self.at = end
        return self.data[start:end]

    def u8(self, field: str) -> int:
        return self.take(1, field)[0]

    def u16(self, field: str) -> int:
        return int.from_bytes(self.take(2, field), "little")

    def u32(self, field: str) -> int:
        return int.from_bytes(self.take(4, field), "little")

    def flag(self, field: str) -> bool:
        value = self.u8(field)
        if value > 1:
            raise self.fault(f"a flag is 0 or 1, not {value}", field, self.at - 1)
        return value == 1

    def text(self, field: str, size: int) -> str:
        start = self.at
        data = self.take(size, field)
        if size > LONGEST_TEXT:
            raise self.fault(f"a text of {size} bytes, {LONGEST_TEXT} are read", field, start)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fault(f"invalid UTF-8: {error.reason}", field, start + error.start) from error

    def string(self, field: str) -> str:
        """``[u16 length][bytes]``."""
        return self.text(field, self.u16(field))

    def character(self, field: str) -> str:
        start, value = self.at, self.string(field)
        if len(value) != 1:
            raise self.fault(f"expected one character, got {value[:20]!r}", field, start)
        return value

    def several(self, field: str, read: Callable[[Cursor, str], T]) -> Tuple[T, ...]:
        """``[u32 count]`` and that many parts (clause ``mtok.limits``)."""
        start, count = self.at, self.u32(field)
        if count > MOST_PARTS:
            raise self.fault(f"{count} parts, {MOST_PARTS} are allowed", field, start)
        if self.depth >= DEEPEST:
            raise self.fault(f"is nested more than {DEEPEST} deep", field, start)
        self.depth += 1
        parts = tuple(read(self, f"{field}[{i}]") for i in range(count))
        self.depth -= 1
        return parts


def u8(value: int) -> bytes:
    return bytes([value])


def u16(value: int) -> bytes:
    return struct.pack("<H", value)


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


def string(value: str, field: str) -> bytes:
    """``[u16 length][bytes]``; FormatError above 65,535 bytes."""
    data = value.encode("utf-8")
    if len(data) > LONGEST:
        raise FormatError(f"{len(data)} bytes of text, {LONGEST} can be stored", field=field)
    return u16(len(data)) + data
