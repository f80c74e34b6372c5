"""Strip: white space off the ends. Clause ``norm.strip``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict

from ..aligned import AlignedText
from ..charsets import WHITE_SPACE
from ..fields import Fields


@dataclass(frozen=True)
class Strip:
    """HF ``normalizers.Strip``."""

    TYPE: ClassVar[str] = "Strip"
    anchored: ClassVar[bool] = False
    strip_left: bool
    strip_right: bool

    @classmethod
    def from_fields(cls, fields: Fields) -> Strip:
        return cls(fields.boolean("strip_left"), fields.boolean("strip_right"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "strip_left": self.strip_left, "strip_right": self.strip_right}

    def normalize(self, text: str) -> str:
        if self.strip_left:
            text = text.lstrip(WHITE_SPACE)
        return text.rstrip(WHITE_SPACE) if self.strip_right else text

    def align(self, text: AlignedText) -> AlignedText:
        kept = text.text.lstrip(WHITE_SPACE) if self.strip_left else text.text
        start = len(text.text) - len(kept)
        return text.stripped(start, start + len(kept.rstrip(WHITE_SPACE) if self.strip_right else kept))
