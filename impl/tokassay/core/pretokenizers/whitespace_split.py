"""WhitespaceSplit: cut at white space, which is dropped. Clause ``pretok.whitespacesplit``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..fields import Fields
from ..splitting import cut_at, find_in, ranges
from ..unicode import tables


@dataclass(frozen=True)
class WhitespaceSplit:
    """HF ``pre_tokenizers.WhitespaceSplit``."""

    TYPE: ClassVar[str] = "WhitespaceSplit"

    @classmethod
    def from_fields(cls, _fields: Fields) -> WhitespaceSplit:
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return cut_at(tables.ranges("white_space"), "Removed", piece)

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        matches = find_in(tables.ranges("white_space"), piece.text)
        return piece.cut(ranges(matches, len(piece.text), "Removed"))
