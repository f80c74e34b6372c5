"""ByteLevel: the characters of the byte alphabet become bytes, the bytes text (``decode.byte-level``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..byte_alphabet import BYTE_OF_CHAR
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
        return cls(
            fields.boolean("add_prefix_space"),
            fields.boolean("trim_offsets"),
            fields.boolean("use_regex", True),
        )

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "add_prefix_space": self.add_prefix_space,
            "trim_offsets": self.trim_offsets,
            "use_regex": self.use_regex,
        }

    def bytes_of(self, token: str, /) -> bytes:
        return token_bytes(token)


def token_bytes(token: str) -> bytes:
    """The bytes of one token; a token with any character outside the alphabet is taken as UTF-8."""
    try:
        return bytes([BYTE_OF_CHAR[char] for char in token])
    except KeyError:
        return token.encode("utf-8", "surrogateescape")
