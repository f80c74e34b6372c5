"""StripAccents: combining marks are dropped, nothing is decomposed first. Clause ``norm.stripaccents``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Dict, Optional

from ..aligned import AlignedText
from ..fields import Fields
from ..unicode import tables


@lru_cache(maxsize=1)
def _marks() -> Dict[int, Optional[str]]:
    return {code: None for low, high in tables.ranges("m9") for code in range(low, high + 1)}


@dataclass(frozen=True)
class StripAccents:
    """HF ``normalizers.StripAccents``."""

    TYPE: ClassVar[str] = "StripAccents"
    anchored: ClassVar[bool] = False

    @classmethod
    def from_fields(cls, _fields: Fields) -> StripAccents:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def normalize(self, text: str) -> str:
        return text if text.isascii() else text.translate(_marks())

    def align(self, text: AlignedText) -> AlignedText:
        return text.filtered(_marks())
