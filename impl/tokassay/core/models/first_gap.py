"""WordPiece that keeps what it found before a gap (``tokenizer-txt.loader.first-gap``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, List, Mapping, Optional

from ..device_only import DeviceOnly
from ..token import Token
from .vocabulary import reverse

PREFIX = "##"
UNKNOWN = "[UNK]"


@dataclass(frozen=True)
class FirstGap(DeviceOnly):
    """As the measured loader does it: no limit of length, and one unknown token for the rest of a word."""

    TYPE: ClassVar[str] = "first-gap WordPiece"
    PART: ClassVar[str] = "model"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.first-gap"
    vocab: Mapping[str, int]

    @property
    def vocab_size(self) -> int:
        return len(self.vocab)

    @cached_property
    def _tokens(self) -> Mapping[int, str]:
        return reverse(self.vocab)

    def token_to_id(self, token: str) -> Optional[int]:
        return self.vocab.get(token)

    def id_to_token(self, index: int) -> Optional[str]:
        return self._tokens.get(index)

    def build(self) -> FirstGapSegmenter:
        return FirstGapSegmenter(self.vocab)


@dataclass(frozen=True)
class FirstGapSegmenter:
    """The longest entry from the left, until none fits."""

    vocab: Mapping[str, int]

    def ids(self, piece: str) -> List[int]:
        return [token.id for token in self.tokenize(piece)]

    def tokenize(self, piece: str) -> List[Token]:
        tokens: List[Token] = []
        start = 0
        while start < len(piece):
            token = self._longest(piece, start)
            if token is None:
                return [*tokens, Token(self.vocab.get(UNKNOWN, 0), UNKNOWN, start, len(piece))]
            tokens.append(token)
            start = token.end
        return tokens

    def _longest(self, piece: str, start: int) -> Optional[Token]:
        prefix = PREFIX if start else ""
        for end in range(len(piece), start, -1):
            index = self.vocab.get(prefix + piece[start:end])
            if index is not None:
                return Token(index, prefix + piece[start:end], start, end)
        return None
