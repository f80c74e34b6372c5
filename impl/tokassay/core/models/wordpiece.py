"""WordPiece: the longest entry from the left, continuations with a prefix (clause ``model.wordpiece``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Dict, List, Mapping, Optional

from ..errors import EncodeError
from ..fields import Fields
from ..token import Token
from .vocabulary import in_id_order, read_vocab, reverse
from .wordpiece_fast import Entries


@dataclass(frozen=True)
class WordPiece:
    """HF ``models.WordPiece``. `max_input_chars_per_word` counts characters of a piece."""

    TYPE: ClassVar[str] = "WordPiece"
    UNTYPED_ORDER: ClassVar[int] = 1
    vocab: Mapping[str, int]
    unk_token: str = "[UNK]"  # noqa: S105 - a token, not a password
    continuing_subword_prefix: str = "##"
    max_input_chars_per_word: int = 100

    @classmethod
    def from_fields(cls, fields: Fields) -> WordPiece:
        return cls(
            read_vocab(fields),
            fields.string("unk_token"),
            fields.string("continuing_subword_prefix"),
            fields.integer("max_input_chars_per_word"),
        )

    def to_fields(self) -> Dict[str, object]:
        return {
            "type": self.TYPE,
            "unk_token": self.unk_token,
            "continuing_subword_prefix": self.continuing_subword_prefix,
            "max_input_chars_per_word": self.max_input_chars_per_word,
            "vocab": in_id_order(self.vocab),
        }

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

    def build(self) -> WordPieceSegmenter:
        return WordPieceSegmenter(self, self._entries)

    @cached_property
    def _entries(self) -> Entries:
        return Entries.of(self.vocab, self.continuing_subword_prefix)


@dataclass(frozen=True)
class WordPieceSegmenter:
    """Greedy from the left; one gap makes the whole piece unknown."""

    model: WordPiece
    entries: Entries

    def tokenize(self, piece: str) -> List[Token]:
        """Raises EncodeError for an unknown piece when `unk_token` is not in the vocabulary."""
        if len(piece) > self.model.max_input_chars_per_word:
            return [self._unknown(piece)]
        tokens: List[Token] = []
        start = 0
        while start < len(piece):
            token = self._longest(piece, start)
            if token is None:
                return [self._unknown(piece)]
            tokens.append(token)
            start = token.end
        return tokens

    def _longest(self, piece: str, start: int) -> Optional[Token]:
        prefix = self.model.continuing_subword_prefix if start else ""
        longest = self.entries.longest_tail if start else self.entries.longest_head
        for end in range(min(len(piece), start + longest), start, -1):
            value = prefix + piece[start:end]
            if value in self.model.vocab:
                return Token(self.model.vocab[value], value, start, end)
        return None

    def _unknown(self, piece: str) -> Token:
        value = self.model.unk_token
        if value not in self.model.vocab:
            raise EncodeError(
                f"{piece!r} is unknown and the unknown token {value!r} is not in the vocabulary"
            )
        return Token(self.model.vocab[value], value, 0, len(piece))

    def ids(self, piece: str) -> List[int]:
        if len(piece) <= self.model.max_input_chars_per_word:
            found = self.entries.greedy(piece)
            if found is not None:
                return found
        return [self._unknown(piece).id]
