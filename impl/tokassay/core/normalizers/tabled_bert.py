"""TabledBert: BertNormalizer with accents by a stored table. Clause ``mtok.normalizer.bert-nfd``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Optional, Tuple

from ..aligned import AlignedText
from ..device_only import DeviceOnly
from ..unicode import tables
from .bert import BertNormalizer
from .code_point_table import CodePointTable
from .lowercase import Lowercase

if TYPE_CHECKING:
    from ..description import Normalizer


@dataclass(frozen=True)
class TabledBert(DeviceOnly):
    """Accents come off by the table, then marks (Mn) are dropped; without a table as in `BertNormalizer`."""

    TYPE: ClassVar[str] = "TabledBert"
    PART: ClassVar[str] = "normalizer"
    CLAUSE: ClassVar[str] = "mtok.normalizer.bert-nfd"
    anchored: ClassVar[bool] = False
    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: bool
    lowercase: bool
    table: Optional[CodePointTable] = None

    @cached_property
    def _steps(self) -> Tuple[Normalizer, ...]:
        by_rule = self.strip_accents and self.table is None
        first = BertNormalizer(self.clean_text, self.handle_chinese_chars, by_rule, lowercase=False)
        accents = () if self.table is None else (self.table, _marks())
        return (first, *accents, *((Lowercase(),) if self.lowercase else ()))

    def normalize(self, text: str) -> str:
        for step in self._steps:
            text = step.normalize(text)
        return text

    def align(self, text: AlignedText) -> AlignedText:
        for step in self._steps:
            text = step.align(text)
        return text


def _marks() -> CodePointTable:
    """Drops what stays of accents: a table that maps every mark to nothing."""
    codes = [code for low, high in tables.ranges("mn8") for code in range(low, high + 1)]
    return CodePointTable(tuple((code, "") for code in codes))
