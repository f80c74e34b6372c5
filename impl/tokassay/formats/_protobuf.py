"""Just enough of the protobuf wire format: the fields of one message, each with its place in the file."""

from __future__ import annotations

import struct
from typing import Iterator, NamedTuple, Tuple, Union

from ..core.errors import FormatError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_NAMES = {VARINT: "a number", FIXED64: "eight bytes", BYTES: "bytes", FIXED32: "four bytes"}


class Range(NamedTuple):
    """A part of a file."""

    start: int
    end: int


class Field(NamedTuple):
    """One field. `value` is a number, or the range of its bytes; `where` is what errors call it."""

    number: int
    kind: int
    value: Union[int, Range]
    offset: int
    where: str


def fields(data: bytes, inside: Range, where: str) -> Iterator[Field]:
    """The fields of a message. FormatError (offset, `where`) for whatever runs past its end."""
    place = inside.start
    while place < inside.end:
        begin = place
        tag, place = _varint(data, place, inside.end, where)
        number, kind = tag >> 3, tag & 7
        name = f"{where}.{number}" if where else str(number)
        value: Union[int, Range]
        if kind == VARINT:
            value, place = _varint(data, place, inside.end, name)
        elif kind in _SIZES or kind == BYTES:
            size, place = (_SIZES[kind], place) if kind in _SIZES else _varint(data, place, inside.end, name)
            value = Range(place, place + size)
            place += size
        else:
            raise FormatError(f"wire type {kind} is not known", field=name, offset=begin)
        if number == 0 or place > inside.end:
            reason = "has the number 0" if number == 0 else "runs past the end of its message"
            raise FormatError(reason, field=name, offset=begin)
        yield Field(number, kind, value, begin, name)


_SIZES = {FIXED64: 8, FIXED32: 4}


def _varint(data: bytes, place: int, end: int, where: str) -> Tuple[int, int]:
    value = shift = 0
    begin = place
    while place < end and shift < 70:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value & (1 << 64) - 1, place
    raise FormatError("a number does not end", field=where, offset=begin)


def content(field: Field) -> Range:
    """The range of a field of bytes (or of a message). FormatError for another kind."""
    if field.kind != BYTES or isinstance(field.value, int):
        raise _unexpected(field, BYTES)
    return field.value


def number(field: Field) -> int:
    """A whole number, as two's complement of 64 bits."""
    if not isinstance(field.value, int):
        raise _unexpected(field, VARINT)
    return field.value - (1 << 64) if field.value >> 63 else field.value


def text(data: bytes, field: Field) -> str:
    """UTF-8."""
    inside = content(field)
    try:
        return data[inside.start : inside.end].decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8: {error.reason}"
        raise FormatError(reason, field=field.where, offset=inside.start + error.start) from error


def single(data: bytes, field: Field) -> float:
    """A number of single precision."""
    if field.kind != FIXED32 or isinstance(field.value, int):
        raise _unexpected(field, FIXED32)
    return float(struct.unpack_from("<f", data, field.value.start)[0])


def _unexpected(field: Field, wanted: int) -> FormatError:
    reason = f"expected {_NAMES[wanted]}, got {_NAMES[field.kind]}"
    return FormatError(reason, field=field.where, offset=field.offset)
