"""Sequence: several decoders, one after the other (``decode.sequence``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Dict, List, Tuple
from typing import Sequence as Items

from ..fields import Fields
from . import read
from .raw import raw_chain
from .stages import Chain, Stage

if TYPE_CHECKING:
    from ..description import Decoder


@dataclass(frozen=True)
class Sequence:
    """HF ``decoders.Sequence``."""

    TYPE: ClassVar[str] = "Sequence"
    decoders: Tuple[Decoder, ...]

    @classmethod
    def from_fields(cls, fields: Fields) -> Sequence:
        return cls(fields.each("decoders", read))  # type: ignore[arg-type]

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "decoders": [part.to_fields() for part in self.decoders]}

    @property
    def fuses(self) -> bool:
        return any(part.fuses for part in self.decoders)

    @property
    def characterwise(self) -> bool:
        return all(part.characterwise for part in self.decoders)

    def decode_chain(self, tokens: List[str]) -> List[str]:
        for part in self.decoders:
            tokens = part.decode_chain(tokens)
        return tokens

    def raw_chain(self, tokens: List[str]) -> List[str]:
        for part in self.decoders:
            tokens = raw_chain(part, tokens)
        return tokens

    def stream(self, *, whole: bool) -> Stage:
        """`flow` after the first decoder that makes one token of them all, `stream` up to it."""
        stages: List[Stage] = []
        for i, part in enumerate(self.decoders):
            later = self.decoders[i + 1 :]
            stages.append(part.stream(whole=_needs_whole(later, whole)))
            if part.fuses:
                return Chain([*stages, *(one.flow() for one in later)])
        return Chain(stages)

    def flow(self) -> Stage:
        return Chain([part.flow() for part in self.decoders])


def _needs_whole(later: Items[Decoder], whole: bool) -> bool:
    """Whether a later decoder looks at tokens as wholes; `whole`: what follows all of them does."""
    for part in later:
        if not part.characterwise:
            return True
        if part.fuses:
            return False
    return whole
