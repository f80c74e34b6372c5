"""What may follow the added tokens: template, texts, flags, and the post-processor's program."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Sequence, Tuple

from ...core.description import Device, Program
from ...core.description import Warning as Oddity
from ...core.errors import FormatError
from .cursor import Cursor, string, u8, u16, u32

TEXT, SPECIAL = 0, 1


def read(cursor: Cursor, device: Device) -> Tuple[Device, List[Oddity]]:
    """Every part that the file still has, and what is odd about it (clauses ``mtok.tail.*``)."""
    notes: List[Oddity] = []
    if cursor.left:
        template = cursor.text("chat_template", cursor.u32("chat_template"))
        device = replace(device, chat_template=template)
    if cursor.left:
        device = replace(device, eos_token=cursor.string("eos_token"))
    if cursor.left:
        device = replace(device, flags=cursor.u8("flags"))
    if cursor.left:
        device = replace(device, bos_token=cursor.string("bos_token"))
    if cursor.left:
        device = replace(device, program=_program(cursor, notes))
        device = replace(device, trailing=cursor.take(cursor.left, "trailing"))
    if device.trailing:
        notes.append(Oddity("trailing", f"{len(device.trailing)} bytes behind the program are ignored"))
    return device, notes


def _program(cursor: Cursor, notes: List[Oddity]) -> Program:
    count, start = cursor.u16("program"), cursor.at
    newer = _ops(cursor, count)
    older = cursor.data[start:] if len(cursor.data) - start == 4 * count else None
    if newer is not None and count and older is not None and cursor.at == len(cursor.data):
        reason = "can also be read in the older form, as four ids behind the text; some loaders do"
        notes.append(Oddity("program", reason))
    if newer is not None and (older is None or cursor.at == len(cursor.data)):
        return Program(newer)
    cursor.at = start
    if older is None:
        raise cursor.fault(f"{count} operations do not fit", "program", start)
    return Program((None, *(cursor.u32("program") for _ in range(count))), legacy=True)


def _ops(cursor: Cursor, count: int) -> Optional[Tuple[Optional[int], ...]]:
    """The operations in the newer form, None where the bytes cannot be that."""
    if count > cursor.left:
        return None
    ops: List[Optional[int]] = []
    for _ in range(count):
        kind = cursor.u8("program") if cursor.left else -1
        if kind == TEXT:
            ops.append(None)
        elif kind == SPECIAL and cursor.left >= 4:
            ops.append(cursor.u32("program"))
        else:
            return None
    return tuple(ops)


def written(device: Device) -> bytes:
    """All parts up to the first absent one; FormatError where a later one is there nevertheless."""
    parts = (
        None if device.chat_template is None else _template(device.chat_template),
        None if device.eos_token is None else string(device.eos_token, "eos_token"),
        None if device.flags is None else u8(device.flags),
        None if device.bos_token is None else string(device.bos_token, "bos_token"),
        None if device.program is None else _written_program(device.program),
        device.trailing or None,
    )
    present = _until_absent(parts)
    return b"".join(present)


def _until_absent(parts: Sequence[Optional[bytes]]) -> List[bytes]:
    present = [part for part in parts if part is not None]
    if list(parts[: len(present)]) != present:
        raise FormatError("a part of the tail is there, but not one before it", field="device")
    return present


def _template(template: str) -> bytes:
    data = template.encode("utf-8")
    return u32(len(data)) + data


def _written_program(program: Program) -> bytes:
    if program.legacy:
        ids = [op for op in program.ops[1:] if op is not None]
        return u16(len(ids)) + b"".join(map(u32, ids))
    ops = [u8(TEXT) if op is None else u8(SPECIAL) + u32(op) for op in program.ops]
    return u16(len(ops)) + b"".join(ops)
