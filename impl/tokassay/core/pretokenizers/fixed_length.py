"""FixedLength: pieces of so many characters, the last one shorter. Clause ``pretok.fixedlength``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..fields import Fields


@dataclass(frozen=True)
class FixedLength:
    """HF ``pre_tokenizers.FixedLength``."""

    TYPE: ClassVar[str] = "FixedLength"
    length: int = 5

    @classmethod
    def from_fields(cls, fields: Fields) -> FixedLength:
        """FormatError for a length of 0, too: HF loads it and panics on every text."""
        length = fields.integer("length", default=5)
        if length == 0:
            raise fields.error("length", "must not be 0")
        return cls(length)

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "length": self.length}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [piece[start : start + self.length] for start in range(0, len(piece), self.length)]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        size = len(piece.text)
        return piece.cut([(start, min(start + self.length, size)) for start in range(0, size, self.length)])
