"""Truncation as stored in a file (clauses ``encoding.truncation.*``)."""

from __future__ import annotations

from dataclasses import replace
from typing import List, Optional, Tuple

from .columns import Columns
from .description import Truncation
from .errors import EncodeError

_WORD = 2**64


def limit(truncation: Truncation, added: int) -> int:
    """How many tokens may remain before `added` special tokens join them.

    The oracle subtracts unsigned numbers: a `max_length` below `added` wraps around, and then
    nothing is truncated (clause ``encoding.truncation.wrap``).
    """
    return (truncation.max_length - added) % _WORD


def truncate_pair(
    first: Columns, second: Optional[Columns], truncation: Truncation, added: int
) -> Tuple[Columns, Optional[Columns]]:
    """Both sequences shortened so that, with `added` special tokens, `max_length` holds.

    Raises:
        EncodeError: the strategy cannot be followed, as in the oracle.
    """
    most = limit(truncation, added)
    lengths = _lengths(len(first), None if second is None else len(second), most, truncation.strategy)
    shorter = truncate(first, lengths[0], truncation.stride, truncation.direction)
    if second is None:
        return shorter, None
    return shorter, truncate(second, lengths[1], truncation.stride, truncation.direction)


def _lengths(first: int, second: Optional[int], most: int, strategy: str) -> Tuple[int, int]:
    """The lengths that both sequences are to have."""
    total = first + (second or 0)
    if most == 0:
        return 0, 0
    if total <= most:
        return first, second or 0
    if strategy == "LongestFirst":
        return (most, 0) if second is None else _longest_first(first, second, most)
    if strategy == "OnlySecond" and second is None:
        raise EncodeError("truncation: the strategy OnlySecond needs a second sequence")
    only = first if strategy == "OnlyFirst" else second or 0
    left = only - (total - most)
    if left <= 0:
        raise EncodeError("truncation: the sequence to shorten is too short for max_length")
    return (left, second or 0) if strategy == "OnlyFirst" else (first, left)


def _longest_first(first: int, second: int, most: int) -> Tuple[int, int]:
    """The longer one is cut down to the shorter; where that is not enough both get half."""
    short, long = min(first, second), max(first, second)
    long = short if short > most else max(short, most - short)
    if short + long > most:
        short = most // 2
        long = short + most % 2
    return (short, long) if first <= second else (long, short)


def truncate(columns: Columns, length: int, stride: int, direction: str) -> Columns:
    """At most `length` tokens; what is cut off overflows in windows that share `stride` tokens."""
    if length >= len(columns):
        return columns
    if length == 0:
        return Columns(spill=lambda: (columns,))
    if stride >= length:
        raise EncodeError(f"truncation: stride {stride} must be less than the {length} tokens that remain")
    windows = _windows(len(columns), length, stride, direction)
    return replace(
        columns.cut(*windows[0]),
        spill=lambda: tuple(columns.cut(start, stop) for start, stop in windows[1:]),
    )


def _windows(total: int, length: int, stride: int, direction: str) -> List[Tuple[int, int]]:
    step = length - stride
    windows: List[Tuple[int, int]] = []
    if direction == "Right":
        for start in range(0, total, step):
            windows.append((start, min(start + length, total)))
            if start + length >= total:
                break
    else:
        for stop in range(total, 0, -step):
            windows.append((max(stop - length, 0), stop))
            if stop <= length:
                break
    return windows
