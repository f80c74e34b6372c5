"""Sequence: pre-tokenizers one after the other, each on the pieces so far. Clause ``pretok.sequence``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Dict, List, Tuple

from ..aligned import AlignedText
from ..alignment import is_positional
from ..fields import Fields
from . import read

if TYPE_CHECKING:
    from ..description import PreTokenizer


@dataclass(frozen=True)
class Sequence:
    """HF ``pre_tokenizers.Sequence``."""

    TYPE: ClassVar[str] = "Sequence"
    pretokenizers: Tuple[PreTokenizer, ...]

    @classmethod
    def from_fields(cls, fields: Fields) -> Sequence:
        return cls(fields.each("pretokenizers", read))  # type: ignore[arg-type]

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "pretokenizers": [part.to_fields() for part in self.pretokenizers]}

    @property
    def positional(self) -> bool:
        return any(is_positional(part) for part in self.pretokenizers)

    @property
    def looks_back(self) -> bool:
        """See `tokassay.core.alignment`: a part behind the first one asks where its piece comes from."""
        inside = any(bool(getattr(part, "looks_back", False)) for part in self.pretokenizers[:1])
        return inside or any(is_positional(part) for part in self.pretokenizers[1:])

    def split(self, piece: str, *, first: bool = False) -> List[str]:
        if self.looks_back:
            start = AlignedText.of(piece if first else " " + piece)
            return [
                part.text for part in self.split_aligned(start if first else start.slice(1, len(start.text)))
            ]
        pieces = [piece]
        for part in self.pretokenizers:
            pieces = [new for old in pieces for new in part.split(old, first=first)]
        return pieces

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        pieces = [piece]
        for part in self.pretokenizers:
            pieces = [new for old in pieces for new in part.split_aligned(old)]
        return pieces
