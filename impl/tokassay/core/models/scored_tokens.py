"""A vocabulary of scored tokens of several kinds, as SentencePiece and GGUF keep it (``scored.kinds``)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, count
from typing import Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..description import Warning as Oddity
from ..errors import EncodeError
from ..packed import Texts, places
from ..token import Token
from .vocabulary import oddities as vocabulary_oddities

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
"""Kinds of tokens, with the numbers that SentencePiece and GGUF give them."""
FEW = 16
IN_TEXTS = (NORMAL, USER_DEFINED, UNUSED)
Span = Tuple[int, int]


@dataclass(frozen=True)
class ScoredTokens:
    """Ids are places; an empty token is a hole. Only tokens of the kinds `IN_TEXTS` are found in a text."""

    tokens: Sequence[str]
    scores: Sequence[float]
    kinds: Sequence[int]
    _looked_up: List[str] = field(default_factory=list, repr=False, compare=False)

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """Token → id; of equal tokens the first one counts."""
        return places(self.tokens, array("I", compress(count(), self.tokens)), last=False)

    @property
    def size(self) -> int:
        return len(self.tokens)

    def token_at(self, index: int) -> Optional[str]:
        return self.tokens[index] or None if 0 <= index < self.size else None

    def find(self, token: str) -> Optional[int]:
        """As `vocab` says. That table is larger than the tokens: a few questions while loading do without."""
        is_table = isinstance(self.tokens, Texts)
        if is_table or "vocab" in vars(self) or len(self._looked_up) >= FEW or not token:
            return self.vocab.get(token)
        self._looked_up.append(token)
        return self.tokens.index(token) if token in self.tokens else None

    def prove(self) -> Sequence[Oddity]:
        """Several ids of one token, and holes: what loading does not look for."""
        return vocabulary_oddities(self.vocab, "model.vocab")

    @cached_property
    def found(self) -> Mapping[str, int]:
        """The tokens that a text can hold → id."""
        counted = (index for index in self.vocab.values() if self.kinds[index] in IN_TEXTS)
        return places(self.tokens, array("I", counted), last=False)

    @cached_property
    def unknown(self) -> Optional[int]:
        """Id of the token for what has none."""
        return next((index for index, kind in enumerate(self.kinds) if kind == UNKNOWN), None)

    @cached_property
    def bytes_of(self) -> Sequence[Optional[int]]:
        """The id of each byte's token."""
        names = {self.tokens[index]: index for index, kind in enumerate(self.kinds) if kind == BYTE}
        return [names.get(f"<0x{byte:02X}>") for byte in range(256)]

    @cached_property
    def kept(self) -> Mapping[str, Sequence[str]]:
        """First character → user-defined tokens that begin with it, longest first."""
        return by_first(token for token, kind in zip(self.tokens, self.kinds) if kind == USER_DEFINED)

    def named(self, text: str, spans: Sequence[Span], *, byte_fallback: bool) -> Iterator[Token]:
        """Tokens of consecutive spans: those found, bytes, or one unknown for all neighbours without any.

        Raises EncodeError where there is no unknown token.
        """
        waiting: Optional[Span] = None
        for start, end in spans:
            index = self.found.get(text[start:end])
            index = None if index is None or self.kinds[index] == UNUSED else index
            as_bytes = self._as_bytes(text, start, end) if index is None and byte_fallback else []
            if index is None and not as_bytes:
                waiting = (start if waiting is None else waiting[0], end)
                continue
            if waiting is not None:
                yield self._unknown(text, waiting)
                waiting = None
            yield from as_bytes if index is None else [Token(index, text[start:end], start, end)]
        if waiting is not None:
            yield self._unknown(text, waiting)

    def _as_bytes(self, text: str, start: int, end: int) -> List[Token]:
        """One token per byte, each covering its whole character; none where a byte has no token."""
        tokens = []
        for place in range(start, end):
            for byte in text[place].encode():
                index = self.bytes_of[byte]
                if index is None:
                    return []
                tokens.append(Token(index, self.tokens[index], place, place + 1))
        return tokens

    def _unknown(self, text: str, span: Span) -> Token:
        if self.unknown is None:
            raise EncodeError(f"{text[span[0] : span[1]]!r} has no token, and there is no unknown token")
        return Token(self.unknown, text[span[0] : span[1]], *span)


def by_first(tokens: Iterator[str]) -> Mapping[str, Sequence[str]]:
    """First character → tokens that begin with it, longest first."""
    starts: Dict[str, List[str]] = {}
    for token in filter(None, tokens):
        starts.setdefault(token[0], []).append(token)
    return {first: sorted(found, key=len, reverse=True) for first, found in starts.items()}


def kept_at(kept: Mapping[str, Sequence[str]], text: str, place: int) -> Optional[str]:
    """The longest of the tokens (as `by_first` gives them) that begins at a place."""
    return next((token for token in kept.get(text[place], ()) if text.startswith(token, place)), None)
