"""ByteLevel: GPT-2's pattern, then bytes as visible characters. Clauses ``pretok.bytelevel.*``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..aligned import AlignedText
from ..byte_alphabet import spell
from ..byte_level_options import read_options, written
from ..fields import Fields
from ..regex import compile_pattern

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


@dataclass(frozen=True)
class ByteLevel:
    """HF ``pre_tokenizers.ByteLevel``. `trim_offsets` matters to the post-processor of that name only."""

    TYPE: ClassVar[str] = "ByteLevel"
    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    @classmethod
    def from_fields(cls, fields: Fields) -> ByteLevel:
        return cls(*read_options(fields))

    def to_fields(self) -> Dict[str, object]:
        return written(self)

    def cut(self, piece: str) -> List[str]:
        """The pieces before their bytes are spelled out; `split` spells them."""
        if self.add_prefix_space and not piece.startswith(" "):
            piece = " " + piece
        return compile_pattern(GPT2_PATTERN).pieces(piece) if self.use_regex else [piece]

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return list(map(spell, self.cut(piece)))

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        if self.add_prefix_space and not piece.text.startswith(" "):
            piece = piece.prepended(" ")
        if not self.use_regex:
            return [piece.expanded(spell)]
        # Every match of this pattern is a piece, and the pieces leave no gap.
        spans = compile_pattern(GPT2_PATTERN).spans(piece.text)
        return [part.expanded(spell) for part in piece.cut(spans)]
