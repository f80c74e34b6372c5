"""Nothing: a normalizer that a device file lists and that does nothing. Clause ``mtok.normalizer.none``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..aligned import AlignedText
from ..device_only import DeviceOnly


@dataclass(frozen=True)
class Nothing(DeviceOnly):
    """Stands in a Sequence only."""

    TYPE: ClassVar[str] = "Nothing"
    PART: ClassVar[str] = "normalizer"
    CLAUSE: ClassVar[str] = "mtok.normalizer.none"
    anchored: ClassVar[bool] = True

    def normalize(self, text: str) -> str:
        return text

    def align(self, text: AlignedText) -> AlignedText:
        return text
