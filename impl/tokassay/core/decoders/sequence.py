"""Sequence: several decoders, one after the other (``decode.sequence``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Dict, List, Tuple
from typing import Sequence as Items

from ..fields import Fields
from . import read
from .raw import raw_chain
from .stages import Chain, Grain, Stage

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
    def grain(self) -> Grain:
        return _grain(self.decoders, Grain.CHARACTER)

    def decode_chain(self, tokens: List[str]) -> List[str]:
        for part in self.decoders:
            tokens = part.decode_chain(tokens)
        return tokens

    def raw_chain(self, tokens: List[str]) -> List[str]:
        for part in self.decoders:
            tokens = raw_chain(part, tokens)
        return tokens

    def stream(self, *, grain: Grain) -> Stage:
        """`flow` after the first decoder that makes one token of them all, `stream` up to it."""
        stages: List[Stage] = []
        for i, part in enumerate(self.decoders):
            later = self.decoders[i + 1 :]
            stages.append(part.stream(grain=_grain(later, grain)))
            if part.fuses:
                return Chain([*stages, *(one.flow() for one in later)])
        return Chain(stages)

    def flow(self) -> Stage:
        return Chain([part.flow() for part in self.decoders])


def _grain(decoders: Items[Decoder], beyond: Grain) -> Grain:
    """The coarsest grain that one of them needs before all tokens become one; `beyond`: what follows them."""
    coarsest = Grain.CHARACTER
    for part in decoders:
        coarsest = max(coarsest, part.grain)
        if part.fuses:
            return coarsest
    return max(coarsest, beyond)
