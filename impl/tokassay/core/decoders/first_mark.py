"""First mark: of each piece only the first U+2581 becomes a space (``tokenizer-txt.loader.first-mark``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ..byte_text import stored
from ..device_only import DeviceOnly
from .token_bytes import TokenBytes

MARK = "\u2581".encode()
_BYTE = re.compile("<0x([0-9A-F]{2})>")


@dataclass(frozen=True)
class FirstMark(DeviceOnly, TokenBytes):
    """As the measured loader does it; what stands behind a mark that is not the first byte is damaged."""

    TYPE: ClassVar[str] = "first mark"
    PART: ClassVar[str] = "decoder"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.first-mark"

    def bytes_of(self, token: str, /) -> bytes:
        """The bytes of one piece. A mark at byte n takes n bytes behind it along: they are cut off."""
        found = _BYTE.fullmatch(token)
        if found is not None:
            return bytes([int(found.group(1), 16)])
        data = stored(token)
        at = data.find(MARK)
        return data if at < 0 else data[:at] + b" " + data[at + at + len(MARK) :]
