"""Sequence: normalizers one after the other. Clause ``norm.sequence``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Dict, Tuple

from ..aligned import AlignedText
from ..alignment import is_anchored, is_unmoored
from ..fields import Fields
from . import read

if TYPE_CHECKING:
    from ..description import Normalizer


@dataclass(frozen=True)
class Sequence:
    """HF ``normalizers.Sequence``."""

    TYPE: ClassVar[str] = "Sequence"
    normalizers: Tuple[Normalizer, ...]

    @classmethod
    def from_fields(cls, fields: Fields) -> Sequence:
        return cls(fields.each("normalizers", read))  # type: ignore[arg-type]

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "normalizers": [part.to_fields() for part in self.normalizers]}

    @property
    def unmoored(self) -> bool:
        """See `tokassay.core.alignment`."""
        return any(is_unmoored(part) for part in self.normalizers)

    @property
    def anchored(self) -> bool:
        """See `tokassay.core.alignment`."""
        return all(is_anchored(part) for part in self.normalizers)

    def normalize(self, text: str) -> str:
        if self.unmoored:
            return self.align(AlignedText.of(text)).text
        for part in self.normalizers:
            text = part.normalize(text)
        return text

    def align(self, text: AlignedText) -> AlignedText:
        for part in self.normalizers:
            text = part.align(text)
        return text
