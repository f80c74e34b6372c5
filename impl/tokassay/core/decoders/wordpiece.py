"""WordPiece: continuations lose their prefix, other tokens get a space (``decode.wordpiece``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List

from ..fields import Fields
from .cleanup import clean_up, cleaning
from .stages import Each, Grain, Pass, Stage


@dataclass(frozen=True)
class WordPiece:
    """HF ``decoders.WordPiece``."""

    TYPE: ClassVar[str] = "WordPiece"
    prefix: str
    cleanup: bool
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> WordPiece:
        return cls(fields.string("prefix"), fields.boolean("cleanup"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "prefix": self.prefix, "cleanup": self.cleanup}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        return [self._decoded(token, i == 0) for i, token in enumerate(tokens)]

    def _decoded(self, token: str, first: bool) -> str:
        if not first:
            token = token[len(self.prefix) :] if token.startswith(self.prefix) else " " + token
        return clean_up(token) if self.cleanup else token

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return Each(self._decoded)

    def flow(self) -> Stage:
        return cleaning() if self.cleanup else Pass()
