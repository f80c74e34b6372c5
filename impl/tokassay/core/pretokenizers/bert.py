"""BertPreTokenizer: white space is dropped, punctuation stands alone. Clause ``pretok.bert``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Dict, List, Pattern

from ..aligned import AlignedText
from ..fields import Fields
from ..splitting import find_in, ranges
from ..unicode import tables
from ..unicode.ranges import class_body, complement, union


@lru_cache(maxsize=1)
def _pieces() -> Pattern[str]:
    """Both cuts in one pattern: no character is white space and punctuation at once."""
    punctuation = tables.ranges("bert.punctuation")
    rest = complement(union(punctuation, tables.ranges("white_space")))
    return re.compile(f"[{class_body(rest)}]+|[{class_body(punctuation)}]")


@dataclass(frozen=True)
class BertPreTokenizer:
    """HF ``pre_tokenizers.BertPreTokenizer``."""

    TYPE: ClassVar[str] = "BertPreTokenizer"

    @classmethod
    def from_fields(cls, _fields: Fields) -> BertPreTokenizer:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return _pieces().findall(piece)

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        spaces = find_in(tables.ranges("white_space"), piece.text)
        found: List[AlignedText] = []
        for word in piece.cut(ranges(spaces, len(piece.text), "Removed")):
            marks = find_in(tables.ranges("bert.punctuation"), word.text)
            found += word.cut(ranges(marks, len(word.text), "Isolated"))
        return found
