"""Punctuation: cut at punctuation of Unicode 8.0 and ASCII. Clause ``pretok.punctuation``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..fields import Fields
from ..splitting import BEHAVIOURS, cut_at, find_in, ranges
from ..unicode import tables


@dataclass(frozen=True)
class Punctuation:
    """HF ``pre_tokenizers.Punctuation``."""

    TYPE: ClassVar[str] = "Punctuation"
    behavior: str = "Isolated"

    @classmethod
    def from_fields(cls, fields: Fields) -> Punctuation:
        return cls(fields.choice("behavior", BEHAVIOURS, default="Isolated"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "behavior": self.behavior}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return cut_at(tables.ranges("bert.punctuation"), self.behavior, piece)

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        matches = find_in(tables.ranges("bert.punctuation"), piece.text)
        return piece.cut(ranges(matches, len(piece.text), self.behavior))
