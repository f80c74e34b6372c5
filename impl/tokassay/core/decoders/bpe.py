"""BPEDecoder: the end-of-word suffix becomes a space, at the very end nothing (``decode.bpe``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List, Optional

from ..fields import Fields
from .stages import Grain, Pass, Replacing, Stage


@dataclass(frozen=True)
class BPEDecoder:
    """HF ``decoders.BPEDecoder``."""

    TYPE: ClassVar[str] = "BPEDecoder"
    suffix: str
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> BPEDecoder:
        return cls(fields.string("suffix"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "suffix": self.suffix}

    def decode_chain(self, tokens: List[str]) -> List[str]:
        last = len(tokens) - 1
        return [token.replace(self.suffix, "" if i == last else " ") for i, token in enumerate(tokens)]

    def stream(self, *, grain: Grain) -> Stage:
        return _Text(self.suffix) if grain is Grain.CHARACTER else _WholeTokens(self.suffix)

    def flow(self) -> Stage:
        return Replacing(self.suffix, "") if self.suffix else Pass()


class _WholeTokens:
    """Keeps the last token: only the next one tells what its suffix means."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._last: Optional[str] = None

    def push(self, text: str) -> List[str]:
        last, self._last = self._last, text
        return [] if last is None else [last.replace(self._suffix, " ")]

    def finish(self) -> List[str]:
        return [] if self._last is None else [self._last.replace(self._suffix, "")]


class _Text:
    """Keeps of the last token what begins with the first suffix in it, and nothing more."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._kept: Optional[str] = None

    def push(self, text: str) -> List[str]:
        given = "" if self._kept is None else self._kept.replace(self._suffix, " ")
        cut = text.find(self._suffix)
        self._kept = None if cut < 0 else text[cut:]
        return [given + (text if cut < 0 else text[:cut])]

    def finish(self) -> List[str]:
        return [] if self._kept is None else [self._kept.replace(self._suffix, "")]
