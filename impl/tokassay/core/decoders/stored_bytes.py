"""Stored bytes: what a vocab.bin holds for an id, markers turned back (``vocab-bin.decode.stored``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..byte_text import stored
from ..device_only import DeviceOnly
from .token_bytes import TokenBytes


@dataclass(frozen=True)
class StoredBytes(DeviceOnly, TokenBytes):
    """The bytes of tokens as UTF-8, as far as they are. `markers`: C4 A0 is a space, C4 8A a line feed."""

    TYPE: ClassVar[str] = "stored bytes"
    PART: ClassVar[str] = "decoder"
    CLAUSE: ClassVar[str] = "vocab-bin.decode.markers"
    markers: bool = True

    def bytes_of(self, token: str, /) -> bytes:
        """The bytes of one token."""
        data = stored(token)
        return data.replace(b"\xc4\xa0", b" ").replace(b"\xc4\x8a", b"\n") if self.markers else data
