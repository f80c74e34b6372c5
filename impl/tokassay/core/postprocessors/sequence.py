"""Sequence: several post-processors, one after the other (clause ``post.sequence``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Dict, List, Tuple

from ..columns import Columns
from ..fields import Fields
from . import read

if TYPE_CHECKING:
    from ..description import PostProcessor


@dataclass(frozen=True)
class Sequence:
    """HF ``processors.Sequence``."""

    TYPE: ClassVar[str] = "Sequence"
    processors: Tuple[PostProcessor, ...]

    @classmethod
    def from_fields(cls, fields: Fields) -> Sequence:
        return cls(fields.each("processors", read))  # type: ignore[arg-type]

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "processors": [part.to_fields() for part in self.processors]}

    def added_tokens(self, pair: bool) -> int:
        return sum(part.added_tokens(pair) for part in self.processors)

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:
        for processor in self.processors:
            parts = processor.process(parts, add_special_tokens)
        return parts
