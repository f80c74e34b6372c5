"""First mark: of each piece only the first U+2581 becomes a space (``tokenizer-txt.loader.first-mark``)."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import ClassVar, List

from ..byte_text import stored
from ..device_only import DeviceOnly
from .stages import Each, Grain, Stage

MARK = "\u2581".encode()
_BYTE = re.compile("<0x([0-9A-F]{2})>")


@dataclass(frozen=True)
class FirstMark(DeviceOnly):
    """As the measured loader does it; what stands behind a mark that is not the first byte is damaged."""

    TYPE: ClassVar[str] = "first mark"
    PART: ClassVar[str] = "decoder"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.first-mark"
    fuses: ClassVar[bool] = True
    grain: ClassVar[Grain] = Grain.TOKEN

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
    """The bytes of one piece. A mark at byte n takes n bytes behind it along: they are cut off."""
    found = _BYTE.fullmatch(token)
    if found is not None:
        return bytes([int(found.group(1), 16)])
    data = stored(token)
    at = data.find(MARK)
    return data if at < 0 else data[:at] + b" " + data[at + at + len(MARK) :]
