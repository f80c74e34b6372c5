"""WordLevel: a piece is one token or unknown (clause ``model.wordlevel``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Dict, List, Mapping, Optional

from ..errors import EncodeError
from ..fields import Fields
from ..token import Token
from .vocabulary import in_id_order, read_vocab, reverse


@dataclass(frozen=True)
class WordLevel:
    """HF ``models.WordLevel``. `unk_token` need not be in the vocabulary until an unknown piece comes."""

    TYPE: ClassVar[str] = "WordLevel"
    UNTYPED_ORDER: ClassVar[int] = 2
    vocab: Mapping[str, int]
    unk_token: str = "<unk>"  # noqa: S105 - a token, not a password

    @classmethod
    def from_fields(cls, fields: Fields) -> WordLevel:
        return cls(read_vocab(fields), fields.string("unk_token"))

    def to_fields(self) -> Dict[str, object]:
        return {"type": self.TYPE, "vocab": in_id_order(self.vocab), "unk_token": self.unk_token}

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

    def build(self) -> WordLevelSegmenter:
        return WordLevelSegmenter(self)


@dataclass(frozen=True)
class WordLevelSegmenter:
    """The whole piece, or `unk_token`."""

    model: WordLevel

    def tokenize(self, piece: str) -> List[Token]:
        """Raises EncodeError for an unknown piece when `unk_token` is not in the vocabulary."""
        value = piece if piece in self.model.vocab else self.model.unk_token
        if value not in self.model.vocab:
            raise EncodeError(
                f"{piece!r} is unknown and the unknown token {value!r} is not in the vocabulary"
            )
        return [Token(self.model.vocab[value], value, 0, len(piece))]

    def ids(self, piece: str) -> List[int]:
        found = self.model.vocab.get(piece)
        return [token.id for token in self.tokenize(piece)] if found is None else [found]
