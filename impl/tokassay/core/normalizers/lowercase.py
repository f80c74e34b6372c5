"""Lowercase: every character by itself, without context. Clause ``norm.lowercase``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..fields import Fields
from ..unicode.case import lower


@dataclass(frozen=True)
class Lowercase:
    """HF ``normalizers.Lowercase``."""

    TYPE: ClassVar[str] = "Lowercase"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, _fields: Fields) -> Lowercase:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return text.lower() if text.isascii() else lower(text)

    def align(self, text: AlignedText) -> AlignedText:
        return text.expanded(lower)
