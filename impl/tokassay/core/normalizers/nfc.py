"""NFC: canonical composition, Unicode 9.0. Clause ``norm.nfc``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..composing import normalized
from ..fields import Fields
from ..unicode.normalization import nfc


@dataclass(frozen=True)
class NFC:
    """HF ``normalizers.NFC``."""

    TYPE: ClassVar[str] = "NFC"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, _fields: Fields) -> NFC:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return nfc(text)

    def align(self, text: AlignedText) -> AlignedText:
        return normalized("NFC", text)
