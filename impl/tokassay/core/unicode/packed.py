"""The packed form of the data modules: base64 of zlib of little numbers (see tools/make_unicode.py)."""

from __future__ import annotations

import base64
import zlib
from typing import Dict, Iterator, List, Sequence, Tuple

from .ranges import Range, Ranges


def unpack(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def numbers(data: bytes) -> Iterator[int]:
    """Numbers of seven bits per byte, lowest first; the top bit says that more follows."""
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            yield number
            number = shift = 0


def read_ranges(data: bytes) -> Ranges:
    """A count, then for each range its distance from the last one and its length less one."""
    values = numbers(data)
    found: List[Range] = []
    done = 0
    for _ in range(next(values)):
        low = done + next(values)
        high = low + next(values)
        found.append((low, high))
        done = high + 1
    return tuple(found)


def read_runs(data: bytes, names: Sequence[str]) -> Dict[str, Ranges]:
    """A partition of all code points: pairs of a name's index and a length."""
    found: Dict[str, List[Range]] = {name: [] for name in names}
    values = numbers(data)
    start = 0
    for index in values:
        length = next(values)
        found[names[index]].append((start, start + length - 1))
        start += length
    return {name: tuple(ranges) for name, ranges in found.items()}


def read_pairs(data: bytes) -> Iterator[Tuple[int, int]]:
    """Pairs of code points in runs: gap, stride, count, signed offset of the second from the first."""
    values = numbers(data)
    done = 0
    for gap in values:
        stride, count, signed = next(values), next(values), next(values)
        offset = signed // 2 if signed % 2 == 0 else -(signed + 1) // 2
        for step in range(count):
            yield done + gap + stride * step, done + gap + stride * step + offset
        done += gap + stride * (count - 1)
