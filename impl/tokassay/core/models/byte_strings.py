"""A table of byte strings by id, as TIKTOKEN files hold it (``tokenizer-txt.tiktoken.layout``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Mapping, Optional, Tuple

from ..byte_text import character_at, shown, stored
from ..token import Token


@dataclass(frozen=True)
class ByteStrings:
    """Id → bytes. Of equal strings the last id is the one that text becomes."""

    strings: Tuple[bytes, ...]

    @cached_property
    def ids(self) -> Mapping[bytes, int]:
        """Bytes → id, without empty strings."""
        return {string: index for index, string in enumerate(self.strings) if string}

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        return {shown(string): index for index, string in enumerate(self.strings)}

    @property
    def size(self) -> int:
        return len(self.strings)

    def find(self, token: str) -> Optional[int]:
        return self.vocab.get(shown(stored(token)))

    def token_at(self, index: int) -> Optional[str]:
        return shown(self.strings[index]) if 0 <= index < len(self.strings) else None


def tokens_of(table: ByteStrings, piece: str, spans: Tuple[Tuple[int, int, int], ...]) -> list[Token]:
    """(id, start, end) in bytes of a piece → tokens in characters of it."""
    place = character_at(piece.encode("utf-8"))
    return [
        Token(index, shown(table.strings[index]), place(start), place(end - 1) + 1)
        for index, start, end in spans
    ]
