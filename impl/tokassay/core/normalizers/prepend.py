"""Prepend: a text in front of every non-empty segment. Clause ``norm.prepend``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..fields import Fields


@dataclass(frozen=True)
class Prepend:
    """HF ``normalizers.Prepend``."""

    TYPE: ClassVar[str] = "Prepend"
    anchored: ClassVar[bool] = True
    prepend: str

    @classmethod
    def from_fields(cls, fields: Fields) -> Prepend:
        return cls(fields.string("prepend"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "prepend": self.prepend}

    @property
    def unmoored(self) -> bool:
        """See `tokassay.core.alignment`."""
        return not self.prepend

    def normalize(self, text: str) -> str:
        return self.prepend + text if text else text

    def align(self, text: AlignedText) -> AlignedText:
        return text.prepended(self.prepend)
