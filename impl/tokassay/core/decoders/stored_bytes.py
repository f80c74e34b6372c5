"""Stored bytes: what a vocab.bin holds for an id, markers turned back (``vocab-bin.decode.stored``)."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import ClassVar, List

from ..byte_text import stored
from ..device_only import DeviceOnly
from .stages import Each, Grain, Stage


@dataclass(frozen=True)
class StoredBytes(DeviceOnly):
    """The bytes of tokens as UTF-8, as far as they are. `markers`: C4 A0 is a space, C4 8A a line feed."""

    TYPE: ClassVar[str] = "stored bytes"
    PART: ClassVar[str] = "decoder"
    CLAUSE: ClassVar[str] = "vocab-bin.decode.markers"
    markers: bool = True
    fuses: ClassVar[bool] = True
    grain: ClassVar[Grain] = Grain.TOKEN

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [b"".join(map(self.bytes_of, tokens)).decode("utf-8", "replace")]

    def raw_chain(self, tokens: List[str]) -> List[str]:
        """The same with invalid bytes kept, as ``surrogateescape`` writes them."""
        return [b"".join(map(self.bytes_of, tokens)).decode("utf-8", "surrogateescape")]

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return _Stream(self)

    def bytes_of(self, token: str) -> bytes:
        """The bytes of one token."""
        data = stored(token)
        return data.replace(b"\xc4\xa0", b" ").replace(b"\xc4\x8a", b"\n") if self.markers else data

    def flow(self) -> Stage:
        return Each(lambda text, _: self.decode_chain([text])[0])


class _Stream:
    """Keeps the bytes of a character that is not complete: at most three."""

    def __init__(self, stored_bytes: StoredBytes) -> None:
        self._bytes_of = stored_bytes.bytes_of
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, text: str) -> List[str]:
        return [self._decoder.decode(self._bytes_of(text))]

    def finish(self) -> List[str]:
        return [self._decoder.decode(b"", True)]
