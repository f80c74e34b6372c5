"""ByteLevel: UTF-8 bytes written as visible characters. Clause ``norm.bytelevel``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..byte_alphabet import spell
from ..fields import Fields


@dataclass(frozen=True)
class ByteLevel:
    """HF ``normalizers.ByteLevel``."""

    TYPE: ClassVar[str] = "ByteLevel"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, _fields: Fields) -> ByteLevel:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return spell(text)

    def align(self, text: AlignedText) -> AlignedText:
        return text.expanded(spell)
