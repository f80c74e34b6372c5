"""ASCII lowercase: A-Z and nothing else (``tokenizer-txt.loader.ascii-words``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..aligned import AlignedText
from ..device_only import DeviceOnly

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True)
class AsciiLower(DeviceOnly):
    """One character becomes one character."""

    TYPE: ClassVar[str] = "ASCII lowercase"
    PART: ClassVar[str] = "normalizer"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.ascii-words"
    anchored: ClassVar[bool] = True

    def normalize(self, text: str) -> str:
        return text.translate(_LOWER)

    def align(self, text: AlignedText) -> AlignedText:
        return text.changed(self.normalize(text.text))
