"""NFKC: compatibility composition, Unicode 9.0. Clause ``norm.nfkc``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..composing import normalized
from ..fields import Fields
from ..unicode.normalization import nfkc


@dataclass(frozen=True)
class NFKC:
    """HF ``normalizers.NFKC``."""

    TYPE: ClassVar[str] = "NFKC"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, _fields: Fields) -> NFKC:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return nfkc(text)

    def align(self, text: AlignedText) -> AlignedText:
        return normalized("NFKC", text)
