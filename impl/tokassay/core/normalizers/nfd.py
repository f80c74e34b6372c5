"""NFD: canonical decomposition, Unicode 9.0. Clause ``norm.nfd``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..composing import normalized
from ..fields import Fields
from ..unicode.normalization import nfd


@dataclass(frozen=True)
class NFD:
    """HF ``normalizers.NFD``."""

    TYPE: ClassVar[str] = "NFD"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, _fields: Fields) -> NFD:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return nfd(text)

    def align(self, text: AlignedText) -> AlignedText:
        return normalized("NFD", text)
