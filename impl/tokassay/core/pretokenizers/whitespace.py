"""Whitespace: runs of word characters and runs of other visible ones. Clause ``pretok.whitespace``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Dict, List

from ..aligned import AlignedText, Span
from ..character_classes import Classes
from ..fields import Fields
from ..unicode import tables

_ASCII_PIECES = re.compile(r"[0-9A-Za-z_]+|[^0-9A-Za-z_\t-\r ]+")
_MAPPED_PIECES = re.compile(r"w+|o+")


@lru_cache(maxsize=1)
def _classes() -> Classes:
    return Classes({"w": tables.ranges("rust.word"), " ": tables.ranges("white_space")}, "o")


def _spans(text: str) -> List[Span]:
    return [match.span() for match in _MAPPED_PIECES.finditer(text.translate(_classes()))]


@dataclass(frozen=True)
class Whitespace:
    r"""HF ``pre_tokenizers.Whitespace``: the matches of ``\w+|[^\w\s]+`` in Rust's regex crate."""

    TYPE: ClassVar[str] = "Whitespace"

    @classmethod
    def from_fields(cls, _fields: Fields) -> Whitespace:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        if piece.isascii():
            return _ASCII_PIECES.findall(piece)
        return [piece[start:end] for start, end in _spans(piece)]

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        return piece.cut(_spans(piece.text))
