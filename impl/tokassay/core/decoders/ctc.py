"""CTC: repeated tokens count once, pads vanish, delimiters become spaces (``decode.ctc``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Dict, List, Optional

from ..fields import Fields
from .cleanup import clean_up, cleaning
from .stages import Chain, Filled, Grain, Inserting, Pass, Replacing, Stage


@dataclass(frozen=True)
class CTC:
    """HF ``decoders.CTC``."""

    TYPE: ClassVar[str] = "CTC"
    pad_token: str
    word_delimiter_token: str
    cleanup: bool
    fuses: ClassVar[bool] = False
    grain: ClassVar[Grain] = Grain.TOKEN

    @classmethod
    def from_fields(cls, fields: Fields) -> CTC:
        return cls(
            fields.string("pad_token"), fields.string("word_delimiter_token"), fields.boolean("cleanup")
        )

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "pad_token": self.pad_token,
            "word_delimiter_token": self.word_delimiter_token,
            "cleanup": self.cleanup,
        }

    def decode_chain(self, tokens: List[str]) -> List[str]:
        stage = self.stream(grain=Grain.TOKEN)
        return [given for token in tokens for given in stage.push(token)]

    def text(self, token: str) -> str:
        """What one token, not a repetition, stands for."""
        text = token.replace(self.pad_token, "") if self.pad_token else token
        return clean_up(text).replace(self.word_delimiter_token, " ") if self.cleanup else text

    def stream(self, *, grain: Grain) -> Stage:  # noqa: ARG002
        return _Stream(self)

    def flow(self) -> Stage:
        pads: Stage = Replacing(self.pad_token, "") if self.pad_token else Pass()
        return Chain([pads, *self._tidying(), Filled()])

    def _tidying(self) -> List[Stage]:
        if not self.cleanup:
            return []
        delimiter = self.word_delimiter_token
        return [cleaning(), Replacing(delimiter, " ") if delimiter else Inserting(" ")]


class _Stream:
    """Remembers one token, to leave its repetitions out."""

    def __init__(self, decoder: CTC) -> None:
        self._decoder = decoder
        self._last: Optional[str] = None

    def push(self, text: str) -> List[str]:
        if text == self._last:
            return []
        self._last = text
        given = self._decoder.text(text)
        return [given] if given else []

    def finish(self) -> List[str]:
        return []
