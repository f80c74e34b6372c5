"""UnicodeScripts: cut where the script changes. Clauses ``pretok.unicodescripts.*``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Dict, List, Tuple

from ..aligned import AlignedText, Span
from ..character_classes import Classes
from ..fields import Fields
from ..unicode import tables

_ANY = "\0"
# One script, and whatever belongs to any of them; what comes before the first script is lost.
_RUN = re.compile(rf"([^{_ANY}])(?:\1|{_ANY})*")


@lru_cache(maxsize=1)
def _classes() -> Classes:
    """A letter per script. Kana count as Han, and so does the sound mark between them, U+30FC."""
    letters: Dict[str, List[Tuple[int, int]]] = {}
    for members in tables.scripts9().values():
        letter = chr(0x100 + len(letters))
        letters[letter] = list(members)
    return Classes(letters, _ANY)


def _spans(text: str) -> List[Span]:
    return [match.span() for match in _RUN.finditer(text.translate(_classes()))]


@dataclass(frozen=True)
class UnicodeScripts:
    """HF ``pre_tokenizers.UnicodeScripts``: scripts of Unicode 9.0; spaces and unassigned join any."""

    TYPE: ClassVar[str] = "UnicodeScripts"

    @classmethod
    def from_fields(cls, _fields: Fields) -> UnicodeScripts:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [piece[start:end] for start, end in _spans(piece)]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        return piece.cut(_spans(piece.text))
