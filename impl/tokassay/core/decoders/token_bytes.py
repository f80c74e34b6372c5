"""Decoders for which a token is bytes: they are joined, and read as UTF-8 once."""

from __future__ import annotations

import codecs
from typing import Callable, ClassVar, List, Protocol

from .stages import Each, Grain, Stage


class TokenBytes(Protocol):
    """What follows from the bytes of one token."""

    fuses: ClassVar[bool] = True
    grain: ClassVar[Grain] = Grain.TOKEN

    def bytes_of(self, token: str, /) -> bytes:
        """The bytes of one token."""
        ...

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [b"".join(map(self.bytes_of, tokens)).decode("utf-8", "replace")]

    def raw_chain(self, tokens: List[str]) -> List[str]:
        """The same with invalid bytes kept, as ``surrogateescape`` writes them."""
        return [b"".join(map(self.bytes_of, tokens)).decode("utf-8", "surrogateescape")]

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return _Stream(self.bytes_of)

    def flow(self) -> Stage:
        # Exact only per piece: clause ``stream.byte-level.fused``.
        return Each(lambda text, _: self.decode_chain([text])[0])


class _Stream:
    """Keeps the bytes of a character that is not complete: at most three."""

    def __init__(self, bytes_of: Callable[[str], bytes]) -> None:
        self._bytes_of = bytes_of
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, text: str) -> List[str]:
        return [self._decoder.decode(self._bytes_of(text))]

    def finish(self) -> List[str]:
        return [self._decoder.decode(b"", True)]
