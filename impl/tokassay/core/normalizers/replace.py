"""Replace: every match of a pattern becomes a fixed text. Clause ``norm.replace``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText, Span
from ..fields import Fields
from ..matching import TextPattern


@dataclass(frozen=True)
class Replace:
    """HF ``normalizers.Replace``; also a decoder there (see `tokassay.core.decoders`)."""

    TYPE: ClassVar[str] = "Replace"
    pattern: TextPattern
    content: str

    @classmethod
    def from_fields(cls, fields: Fields) -> Replace:
        return cls(TextPattern.from_fields(fields, "pattern"), fields.string("content"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "pattern": self.pattern.to_fields(), "content": self.content}

    @property
    def anchored(self) -> bool:
        """See `tokassay.core.alignment`."""
        return self.pattern.kind == "String" and len(self.pattern.source) == 1 and self.content != ""

    @property
    def unmoored(self) -> bool:
        """See `tokassay.core.alignment`."""
        return self.pattern.matches_empty and self.content != ""

    def normalize(self, text: str) -> str:
        return self.pattern.substitute(text, self.content)

    def align(self, text: AlignedText) -> AlignedText:
        matches: List[Span] = self.pattern.spans(text.text)
        return text.replaced(matches, self.content) if matches else text
