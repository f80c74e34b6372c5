"""FixedLength: pieces of so many characters, the last one shorter. Clause ``pretok.fixedlength``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..errors import EncodeError
from ..fields import Fields


@dataclass(frozen=True)
class FixedLength:
    """HF ``pre_tokenizers.FixedLength``."""

    TYPE: ClassVar[str] = "FixedLength"
    length: int = 5

    @classmethod
    def from_fields(cls, fields: Fields) -> FixedLength:
        return cls(fields.integer("length", default=5))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "length": self.length}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [piece[start : start + self.length] for start in self._starts(piece)]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        size = len(piece.text)
        return piece.cut([(start, min(start + self.length, size)) for start in self._starts(piece.text)])

    def _starts(self, piece: str) -> range:
        if self.length == 0 and piece:
            raise EncodeError("FixedLength of length 0: the oracle loads it and panics on every piece")
        return range(0, len(piece), self.length or 1)
