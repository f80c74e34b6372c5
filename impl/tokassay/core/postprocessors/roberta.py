"""RobertaProcessing: ``<s> a </s>`` and ``<s> a </s></s> b </s>`` (clause ``post.roberta``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Dict, List

from ..columns import Columns
from ..fields import Fields
from .special import SpecialToken, enclose, special_token
from .trim import trim_offsets


@dataclass(frozen=True)
class RobertaProcessing:
    """HF ``processors.RobertaProcessing``."""

    TYPE: ClassVar[str] = "RobertaProcessing"
    sep: SpecialToken
    cls: SpecialToken
    trim_offsets: bool
    add_prefix_space: bool

    @classmethod
    def from_fields(cls, fields: Fields) -> RobertaProcessing:
        return cls(
            special_token(fields, "sep"),
            special_token(fields, "cls"),
            fields.boolean("trim_offsets"),
            fields.boolean("add_prefix_space"),
        )

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "sep": list(self.sep),
            "cls": list(self.cls),
            "trim_offsets": self.trim_offsets,
            "add_prefix_space": self.add_prefix_space,
        }

    def added_tokens(self, pair: bool) -> int:
        return 4 if pair else 2

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:
        if self.trim_offsets:
            parts = [trim_offsets(part, self.add_prefix_space) for part in parts]
        parts = [part.with_type(0) for part in parts]
        if not add_special_tokens:
            return parts
        return [self._enclose(part, first=i == 0) for i, part in enumerate(parts)]

    def _enclose(self, part: Columns, *, first: bool) -> Columns:
        # Without special tokens the overflowing encodings keep their type ids; with them they do not.
        spilled = replace(part, spill=lambda: tuple(one.with_type(0) for one in part.spill()))
        return enclose(spilled, self.cls if first else self.sep, self.sep, (0, 0))
