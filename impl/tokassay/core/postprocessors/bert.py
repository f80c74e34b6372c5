"""BertProcessing: ``[CLS] a [SEP]`` and ``[CLS] a [SEP] b [SEP]`` (clause ``post.bert``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..columns import Columns
from ..fields import Fields
from .special import SpecialToken, enclose, special_token


@dataclass(frozen=True)
class BertProcessing:
    """HF ``processors.BertProcessing``."""

    TYPE: ClassVar[str] = "BertProcessing"
    sep: SpecialToken
    cls: SpecialToken

    @classmethod
    def from_fields(cls, fields: Fields) -> BertProcessing:
        return cls(special_token(fields, "sep"), special_token(fields, "cls"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "sep": list(self.sep), "cls": list(self.cls)}

    def added_tokens(self, pair: bool) -> int:
        return 3 if pair else 2

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:
        if not add_special_tokens:
            return parts
        return [
            enclose(part, self.cls, self.sep, (0, 0)) if i == 0 else enclose(part, None, self.sep, (1, 1))
            for i, part in enumerate(parts)
        ]
