"""Digits: numbers apart from the rest, one by one or in runs. Clause ``pretok.digits``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..fields import Fields
from ..splitting import cut_at, find_in, ranges
from ..unicode import tables


@dataclass(frozen=True)
class Digits:
    """HF ``pre_tokenizers.Digits``."""

    TYPE: ClassVar[str] = "Digits"
    individual_digits: bool = False

    @classmethod
    def from_fields(cls, fields: Fields) -> Digits:
        return cls(fields.boolean("individual_digits"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "individual_digits": self.individual_digits}

    @property
    def behaviour(self) -> str:
        return "Isolated" if self.individual_digits else "Contiguous"

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return cut_at(tables.ranges("rust.numeric"), self.behaviour, piece)

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        matches = find_in(tables.ranges("rust.numeric"), piece.text)
        return piece.cut(ranges(matches, len(piece.text), self.behaviour))
