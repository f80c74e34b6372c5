"""Fuse: all tokens become one (``decode.fuse``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..fields import Fields
from .stages import Pass, Stage


@dataclass(frozen=True)
class Fuse:
    """HF ``decoders.Fuse``."""

    TYPE: ClassVar[str] = "Fuse"
    fuses: ClassVar[bool] = True
    characterwise: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, fields: Fields) -> Fuse:  # noqa: ARG003
        return cls()

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return ["".join(tokens)]

    def stream(self, *, whole: bool) -> Stage:  # noqa: ARG002
        return Pass()

    def flow(self) -> Stage:
        return Pass()
