"""Stored bytes: what a vocab.bin holds for each id, the two markers turned back (``vocab-bin.decode``)."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import ClassVar, List, NoReturn

from ..byte_text import stored
from ..device_only import refuse
from ..fields import Fields
from .stages import Each, Grain, Stage


@dataclass(frozen=True)
class StoredBytes:
    """C4 A0 becomes a space and C4 8A a line feed within each token; the rest is UTF-8, as far as it is."""

    TYPE: ClassVar[str] = "stored bytes"
    CLAUSE: ClassVar[str] = "vocab-bin.decode.markers"
    fuses: ClassVar[bool] = True
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        refuse(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        refuse(self.TYPE, "decoder.type")

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [b"".join(map(unmarked, tokens)).decode("utf-8", "replace")]

    def raw_chain(self, tokens: List[str]) -> List[str]:
        """The same with invalid bytes kept, as ``surrogateescape`` writes them."""
        return [b"".join(map(unmarked, tokens)).decode("utf-8", "surrogateescape")]

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return _Stream()

    def flow(self) -> Stage:
        return Each(lambda text, _: self.decode_chain([text])[0])


class _Stream:
    """Keeps the bytes of a character that is not complete: at most three."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, text: str) -> List[str]:
        return [self._decoder.decode(unmarked(text))]

    def finish(self) -> List[str]:
        return [self._decoder.decode(b"", True)]


def unmarked(token: str) -> bytes:
    """The bytes of one token with the markers of space and line feed turned back."""
    return stored(token).replace(b"\xc4\xa0", b" ").replace(b"\xc4\x8a", b"\n")
