"""A table of byte strings by id, as TIKTOKEN files hold it (``tokenizer-txt.tiktoken.layout``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count
from typing import Mapping, Optional, Sequence, Tuple

from ..byte_text import character_at, shown, stored
from ..packed import Index, Strings, Texts, places
from ..token import Token


@dataclass(frozen=True)
class ByteStrings:
    """Id → bytes. Of equal strings the last id is the one that text becomes."""

    strings: Sequence[bytes]

    @cached_property
    def ids(self) -> Mapping[bytes, int]:
        """Bytes → id, without empty strings."""
        if isinstance(self.strings, Strings):
            return Index(self.strings, compress(count(), self.strings), last=True)
        return {string: index for index, string in enumerate(self.strings) if string}

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        if isinstance(self.strings, Strings):
            return places(Texts(self.strings, "surrogateescape"), last=True)
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
