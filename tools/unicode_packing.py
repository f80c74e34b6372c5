"""Ranges and tables as the few bytes that modules of `tokassay.core.unicode` hold; see make_unicode.py."""

from __future__ import annotations

import base64
import zlib
from typing import Callable, Dict, Sequence, Tuple

Ranges = Tuple[Tuple[int, int], ...]


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(0x80 | number & 0x7F)
        number >>= 7
    return bytes([*out, number])


def packed_ranges(ranges: Ranges) -> bytes:
    """Gap and length of each range; the count comes first."""
    out, done = varint(len(ranges)), 0
    for low, high in ranges:
        out += varint(low - done) + varint(high - low)
        done = high + 1
    return out


def packed_runs(names: Sequence[str], value: Callable[[int], str]) -> bytes:
    """A partition of all code points: pairs of (index of the name, length)."""
    out, start = b"", 0
    for point in range(1, 0x110001):
        if point == 0x110000 or value(point) != value(start):
            out += varint(names.index(value(start))) + varint(point - start)
            start = point
    return out


def spelled(data: bytes) -> str:
    text = base64.b64encode(zlib.compress(data, 9)).decode()
    lines = [text[at : at + 100] for at in range(0, len(text), 100)]
    return "(\n" + "\n".join(f'    "{line}"' for line in lines) + "\n)"


def words(name: str, text: str) -> str:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) > 98:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    if len(f'{name} = "{text}"') <= 110:  # as the formatter would have it
        return f'{name} = "{text}"\n'
    return f"{name} = (\n" + "\n".join(f'    "{line}"' for line in lines) + "\n)\n"


def module(title: str, *parts: str) -> str:
    head = f'"""{title}\n\nWritten by tools/make_unicode.py; not edited by hand.\n"""\n\n'
    return head + "from __future__ import annotations\n\n" + "".join(parts)


def packed_pairs(table: Dict[int, int]) -> bytes:
    """Runs of (gap, step, count, offset zigzag): alphabets fold in blocks or at every second place."""
    items, out, done, at = sorted(table.items()), b"", 0, 0
    while at < len(items):
        point, offset = items[at][0], items[at][1] - items[at][0]
        best, step = 1, 1
        for stride in (1, 2):
            count = 1
            while at + count < len(items) and items[at + count] == (
                point + stride * count,
                point + stride * count + offset,
            ):
                count += 1
            if count > best:
                best, step = count, stride
        signed = 2 * offset if offset >= 0 else -2 * offset - 1
        out += varint(point - done) + varint(step) + varint(best) + varint(signed)
        done = point + step * (best - 1)
        at += best
    return out
