"""CharDelimiterSplit: cut at one character, which is dropped. Clause ``pretok.chardelimiter``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..fields import Fields
from ..splitting import find_in, ranges


@dataclass(frozen=True)
class CharDelimiterSplit:
    """HF ``pre_tokenizers.CharDelimiterSplit``."""

    TYPE: ClassVar[str] = "CharDelimiterSplit"
    delimiter: str

    @classmethod
    def from_fields(cls, fields: Fields) -> CharDelimiterSplit:
        return cls(fields.character("delimiter"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "delimiter": self.delimiter}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [part for part in piece.split(self.delimiter) if part]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        code = ord(self.delimiter)
        return piece.cut(ranges(find_in(((code, code),), piece.text), len(piece.text), "Removed"))
