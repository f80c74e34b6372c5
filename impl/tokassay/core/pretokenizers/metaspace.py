"""Metaspace: spaces become a visible mark that starts every word. Clauses ``pretok.metaspace.*``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Dict, List, Pattern

from ..aligned import AlignedText, Span
from ..fields import Fields

SCHEMES = ("first", "never", "always")


@lru_cache(maxsize=16)
def _words(mark: str) -> Pattern[str]:
    """A word with its mark in front, or a mark that another mark follows."""
    mark = re.escape(mark)
    return re.compile(f"{mark}?[^{mark}]+|{mark}")


@dataclass(frozen=True)
class Metaspace:
    """HF ``pre_tokenizers.Metaspace``; `prepend_scheme` is one of `SCHEMES`."""

    TYPE: ClassVar[str] = "Metaspace"
    replacement: str = "▁"
    prepend_scheme: str = "always"
    pieces: bool = True

    @classmethod
    def from_fields(cls, fields: Fields) -> Metaspace:
        """The legacy ``add_prefix_space: false`` is read only where the scheme says "never", too."""
        scheme = fields.choice("prepend_scheme", SCHEMES, default="always")
        if fields.optional_boolean("add_prefix_space") is False and scheme != "never":
            raise fields.error("add_prefix_space", f"contradicts the prepend_scheme {scheme!r}")
        fields.optional_string("str_rep")
        split = fields.optional_boolean("split")
        return cls(fields.character("replacement"), scheme, split is not False)

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "replacement": self.replacement,
            "prepend_scheme": self.prepend_scheme,
            "split": self.pieces,
        }

    @property
    def positional(self) -> bool:
        return self.prepend_scheme == "first"

    def _prepends(self, text: str, first: bool) -> bool:
        wanted = self.prepend_scheme == "always" or (self.prepend_scheme == "first" and first)
        return wanted and not text.startswith(self.replacement)

    def split(self, piece: str, *, first: bool = False) -> List[str]:
        marked = piece.replace(" ", self.replacement)
        if self._prepends(marked, first):
            marked = self.replacement + marked
        return _words(self.replacement).findall(marked) if self.pieces else [marked]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        marked = piece.replaced(_places(" ", piece.text), self.replacement)
        if self._prepends(marked.text, first=piece.origin[0] == 0):
            marked = marked.prepended(self.replacement)
        if not self.pieces:
            return [marked]
        return marked.cut([word.span() for word in _words(self.replacement).finditer(marked.text)])


def _places(char: str, text: str) -> List[Span]:
    return [match.span() for match in re.finditer(re.escape(char), text)]
