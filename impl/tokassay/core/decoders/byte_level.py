"""ByteLevel: the characters of the byte alphabet become bytes, the bytes text (``decode.byte-level``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..byte_alphabet import BYTE_OF_CHAR
from ..byte_level_options import read_options, written
from ..fields import Fields
from .token_bytes import TokenBytes


@dataclass(frozen=True)
class ByteLevel(TokenBytes):
    """HF ``decoders.ByteLevel``; its fields are carried along and have no effect here."""

    TYPE: ClassVar[str] = "ByteLevel"
    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool = True

    @classmethod
    def from_fields(cls, fields: Fields) -> ByteLevel:
        return cls(*read_options(fields))

    def to_fields(self) -> Dict[str, object]:
        return written(self)

    def bytes_of(self, token: str, /) -> bytes:
        return token_bytes(token)


def token_bytes(token: str) -> bytes:
    """The bytes of one token; a token with any character outside the alphabet is taken as UTF-8."""
    try:
        return bytes([BYTE_OF_CHAR[char] for char in token])
    except KeyError:
        return token.encode("utf-8", "surrogateescape")
