"""Split: cut at the matches of a pattern. Clauses ``pretok.split.*`` and ``pretok.behaviour.*``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..fields import Fields
from ..matching import TextPattern
from ..splitting import BEHAVIOURS, cut_at, ranges


@dataclass(frozen=True)
class Split:
    """HF ``pre_tokenizers.Split``. `invert`: what lies between the matches counts as the match."""

    TYPE: ClassVar[str] = "Split"
    pattern: TextPattern
    behavior: str
    invert: bool

    @classmethod
    def from_fields(cls, fields: Fields) -> Split:
        return cls(
            TextPattern.from_fields(fields, "pattern"),
            fields.choice("behavior", BEHAVIOURS),
            fields.boolean("invert"),
        )

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "pattern": self.pattern.to_fields(),
            "behavior": self.behavior,
            "invert": self.invert,
        }

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        if self.behavior == "Isolated":
            return self.pattern.compiled.pieces(piece)
        if self.pattern.kind == "String" and len(self.pattern.source) == 1 and not self.invert:
            code = ord(self.pattern.source)
            return cut_at(((code, code),), self.behavior, piece)
        matches = self.pattern.spans(piece)
        if not matches and not self.invert:
            return [piece] if piece else []
        cuts = ranges(matches, len(piece), self.behavior, self.invert)
        return [piece[start:end] for start, end in cuts if start != end]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        return piece.cut(ranges(self.pattern.spans(piece.text), len(piece.text), self.behavior, self.invert))
