"""Nmt: some control characters go, some blanks become spaces. Clause ``norm.nmt``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, Optional

from ..aligned import AlignedText
from ..fields import Fields

_GONE: Dict[int, Optional[str]] = dict.fromkeys(
    [*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, 0x8F, 0x9F], None
)
_SPACES = dict.fromkeys(
    [0x09, 0x0A, 0x0C, 0x0D, 0x1680, *range(0x200B, 0x2010), 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD], " "
)
_TABLE = {**_GONE, **_SPACES}


@dataclass(frozen=True)
class Nmt:
    """HF ``normalizers.Nmt``."""

    TYPE: ClassVar[str] = "Nmt"
    anchored: ClassVar[bool] = False

    @classmethod
    def from_fields(cls, _fields: Fields) -> Nmt:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return text.translate(_TABLE)

    def align(self, text: AlignedText) -> AlignedText:
        kept = text.filtered(_GONE)
        return kept.changed(kept.text.translate(_SPACES))
