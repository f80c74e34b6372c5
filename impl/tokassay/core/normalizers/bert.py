"""BertNormalizer: cleaning, room around CJK characters, accents off, lowercase. Clauses ``norm.bert.*``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Dict, Optional

from ..aligned import AlignedText
from ..composing import normalized
from ..fields import Fields
from ..unicode import tables
from ..unicode.case import lower
from ..unicode.normalization import nfd


@lru_cache(maxsize=1)
def _removed() -> Dict[int, Optional[str]]:
    return _table("bert.control.removed", None)


@lru_cache(maxsize=1)
def _spaces() -> Dict[int, Optional[str]]:
    return _table("bert.space", " ")


@lru_cache(maxsize=1)
def _marks() -> Dict[int, Optional[str]]:
    return _table("mn8", None)


def _table(name: str, value: Optional[str]) -> Dict[int, Optional[str]]:
    return {code: value for low, high in tables.ranges(name) for code in range(low, high + 1)}


class _Cleaner(Dict[int, Optional[str]]):
    """The first steps as one `str.translate` table, which fills itself with what texts contain."""

    def __init__(self, *, clean: bool, cjk: bool) -> None:
        super().__init__()
        self._clean, self._cjk = clean, cjk

    def __missing__(self, code: int) -> Optional[str]:
        char: Optional[str] = chr(code)
        if self._clean and code in _removed():
            char = None
        elif self._clean and code in _spaces():
            char = " "
        elif self._cjk and _is_cjk(code):
            char = f" {chr(code)} "
        if len(self) < 1 << 16:
            self[code] = char
        return char


@lru_cache(maxsize=4)
def _cleaner(*, clean: bool, cjk: bool) -> _Cleaner:
    return _Cleaner(clean=clean, cjk=cjk)


def _is_cjk(code: int) -> bool:
    return any(low <= code <= high for low, high in tables.ranges("cjk"))


@dataclass(frozen=True)
class BertNormalizer:
    """HF ``normalizers.BertNormalizer``. `strip_accents`: None means "as `lowercase`"."""

    TYPE: ClassVar[str] = "BertNormalizer"
    anchored: ClassVar[bool] = False
    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: Optional[bool]
    lowercase: bool

    @classmethod
    def from_fields(cls, fields: Fields) -> BertNormalizer:
        return cls(
            fields.boolean("clean_text"),
            fields.boolean("handle_chinese_chars"),
            fields.optional_boolean("strip_accents"),
            fields.boolean("lowercase"),
        )

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "clean_text": self.clean_text,
            "handle_chinese_chars": self.handle_chinese_chars,
            "strip_accents": self.strip_accents,
            "lowercase": self.lowercase,
        }

    @property
    def _strips(self) -> bool:
        return self.lowercase if self.strip_accents is None else self.strip_accents

    def normalize(self, text: str) -> str:
        if self.clean_text or self.handle_chinese_chars:
            text = text.translate(_cleaner(clean=self.clean_text, cjk=self.handle_chinese_chars))
        if text.isascii():
            return text.lower() if self.lowercase else text
        if self._strips:
            text = nfd(text).translate(_marks())
        return lower(text) if self.lowercase else text

    def align(self, text: AlignedText) -> AlignedText:
        if self.clean_text:
            text = text.filtered(_removed())
            text = text.changed(text.text.translate(_spaces()))
        if self.handle_chinese_chars:
            text = text.expanded(lambda part: part.translate(_cleaner(clean=False, cjk=True)))
        if self._strips:
            text = normalized("NFD", text).filtered(_marks())
        return text.expanded(lower) if self.lowercase else text
