"""ByteLevel: adds no token, may take white space out of the offsets (clause ``post.byte-level``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..byte_level_options import read_options, written
from ..columns import Columns
from ..fields import Fields
from .trim import trim_offsets


@dataclass(frozen=True)
class ByteLevel:
    """HF ``processors.ByteLevel``; `use_regex` is carried along and has no effect here."""

    TYPE: ClassVar[str] = "ByteLevel"
    add_prefix_space: bool
    trim_offsets: bool
    use_regex: bool = True

    @classmethod
    def from_fields(cls, fields: Fields) -> ByteLevel:
        return cls(*read_options(fields))

    def to_fields(self) -> Dict[str, object]:
        return written(self)

    def added_tokens(self, pair: bool) -> int:  # noqa: ARG002
        return 0

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:  # noqa: ARG002
        if not self.trim_offsets:
            return parts
        return [trim_offsets(part, self.add_prefix_space) for part in parts]
