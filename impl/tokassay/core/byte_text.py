"""Bytes as text and back, and which character a byte belongs to."""

from __future__ import annotations

from bisect import bisect_right
from typing import Callable


def shown(data: bytes) -> str:
    """Bytes as a token string; bytes that are not UTF-8 are lone surrogates U+DC80..U+DCFF."""
    return data.decode("utf-8", "surrogateescape")


def stored(token: str) -> bytes:
    """The bytes of a token string: the reverse of `shown`."""
    return token.encode("utf-8", "surrogateescape")


def character_at(data: bytes) -> Callable[[int], int]:
    """Byte place → index of the character that holds it, for a text in UTF-8."""
    if data.isascii():
        return lambda place: place
    starts = [place for place, byte in enumerate(data) if byte & 0xC0 != 0x80]
    return lambda place: bisect_right(starts, place) - 1
