"""NFKD: compatibility decomposition, Unicode 9.0. Clause ``norm.nfkd``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..composing import normalized
from ..fields import Fields
from ..unicode.normalization import nfkd


@dataclass(frozen=True)
class NFKD:
    """HF ``normalizers.NFKD``."""

    TYPE: ClassVar[str] = "NFKD"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, _fields: Fields) -> NFKD:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return nfkd(text)

    def align(self, text: AlignedText) -> AlignedText:
        return normalized("NFKD", text)
