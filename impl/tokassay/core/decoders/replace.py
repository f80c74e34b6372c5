"""Replace: every match of a pattern in every token becomes a text (``decode.replace``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..fields import Fields
from ..matching import TextPattern
from .stages import Each, Grain, Replacing, Stage


@dataclass(frozen=True)
class Replace:
    """HF ``decoders.Replace``."""

    TYPE: ClassVar[str] = "Replace"
    pattern: TextPattern
    content: str
    fuses: ClassVar[bool] = False

    @classmethod
    def from_fields(cls, fields: Fields) -> Replace:
        return cls(TextPattern.from_fields(fields, "pattern"), fields.string("content"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "pattern": self.pattern.to_fields(), "content": self.content}

    @property
    def grain(self) -> Grain:
        one_character = self.pattern.kind == "String" and len(self.pattern.source) == 1
        return Grain.CHARACTER if one_character else Grain.TOKEN

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [self._decoded(token, False) for token in tokens]

    def _decoded(self, token: str, _: bool) -> str:
        return self.pattern.substitute(token, self.content)

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return Each(self._decoded)

    def flow(self) -> Stage:
        if self.pattern.kind == "String" and self.pattern.source:
            return Replacing(self.pattern.source, self.content)
        # Exact only per piece: clause ``stream.replace.fused``.
        return Each(self._decoded)
