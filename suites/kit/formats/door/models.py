"""SentencePiece models written by hand: any pieces, scores and types."""

from __future__ import annotations

import struct


def varint(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])


def message(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def piece(token: str, score: float = -1.0, kind: int = 1) -> bytes:
    content = message(1, token.encode()) + b"\x15" + struct.pack("<f", score) + b"\x18" + bytes([kind])
    return message(1, content)


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def model(pieces: list[bytes], kind: int, **switches: int) -> bytes:
    """A whole model of a type (1 Unigram, 2 BPE); `switches`: fields by the names below."""
    trainer = {"suffix": 24, "byte_fallback": 35}
    normalizer = {"dummy": 3, "extra": 4, "escape": 5}
    options = number(3, kind) + b"".join(number(trainer[n], v) for n, v in switches.items() if n in trainer)
    spec = b"".join(number(normalizer[n], v) for n, v in switches.items() if n in normalizer)
    return b"".join(pieces) + message(2, options) + message(3, spec)
