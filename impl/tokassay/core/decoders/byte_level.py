"""ByteLevel: the characters of the byte alphabet become bytes, the bytes text (``decode.byte-level``)."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..byte_alphabet import BYTE_OF_CHAR
from ..fields import Fields
from .stages import Each, Grain, Stage


@dataclass(frozen=True)
class ByteLevel:
    """HF ``decoders.ByteLevel``; its fields are carried along and have no effect here."""

    TYPE: ClassVar[str] = "ByteLevel"
    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool = True
    fuses: ClassVar[bool] = True
    grain: ClassVar[Grain] = Grain.TOKEN

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

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [b"".join(map(token_bytes, tokens)).decode("utf-8", "replace")]

    def raw_chain(self, tokens: List[str]) -> List[str]:
        """The same with invalid bytes kept, as ``surrogateescape`` writes them."""
        return [b"".join(map(token_bytes, tokens)).decode("utf-8", "surrogateescape")]

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return _Stream()

    def flow(self) -> Stage:
        # Exact only per piece: clause ``stream.byte-level.fused``.
        return Each(lambda text, _: self.decode_chain([text])[0])


class _Stream:
    """Keeps the bytes of a character that is not complete: at most three."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, text: str) -> List[str]:
        return [self._decoder.decode(token_bytes(text))]

    def finish(self) -> List[str]:
        return [self._decoder.decode(b"", True)]


def token_bytes(token: str) -> bytes:
    """The bytes of one token; a token with any character outside the alphabet is taken as UTF-8."""
    try:
        return bytes([BYTE_OF_CHAR[char] for char in token])
    except KeyError:
        return token.encode("utf-8", "surrogateescape")
