"""Fuse: all tokens become one (``decode.fuse``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..fields import Fields
from .stages import Fusing, Grain, Stage


@dataclass(frozen=True)
class Fuse:
    """HF ``decoders.Fuse``."""

    TYPE: ClassVar[str] = "Fuse"
    fuses: ClassVar[bool] = True
    grain: ClassVar[Grain] = Grain.CHARACTER

    @classmethod
    def from_fields(cls, fields: Fields) -> Fuse:  # noqa: ARG003
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return ["".join(tokens)]

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return Fusing()

    def flow(self) -> Stage:
        return Fusing()
