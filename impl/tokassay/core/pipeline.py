"""The readable path through a tokenizer: text -> tokens with their place in the text.

This is the definition. The fast path to the ids alone (`tokassay.core.fast`) is proven equal to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Callable, Iterator, List, Optional, Tuple, TypeVar

from .added_tokens import AddedVocabulary
from .aligned import AlignedText, Span
from .columns import Columns, Placed, merge
from .description import Description, PostProcessor, Segmenter
from .padding import pad, padded_length
from .token import Token
from .truncation import truncate_pair

_SHORT_PIECE = 64
_REMEMBERED_PIECES = 1 << 14

Item = TypeVar("Item")
Segment = Tuple[AlignedText, Optional[int]]
"""A part of the text between added tokens, normalized, or an added token with its id."""


@dataclass(frozen=True)
class Pipeline:
    """Added tokens, normalizer, pre-tokenizer, model, truncation, post-processor, padding: in order."""

    description: Description
    added: AddedVocabulary
    segmenter: Segmenter

    def segments(self, text: str) -> List[Segment]:
        """The text cut at added tokens; what lies between them is normalized. None is empty."""
        return self.added.split_aligned(AlignedText.of(text))

    def pieces(self, segment: AlignedText) -> List[AlignedText]:
        """One segment, pre-tokenized."""
        splitter = self.description.pre_tokenizer
        return [segment] if splitter is None else splitter.split_aligned(segment)

    def split(self, text: str) -> Iterator[Segment]:
        """All pieces of a text in order. The index of a piece is the word id of its tokens."""
        for segment, index in drained(self.segments(text)):
            if index is not None:
                yield segment, index
            else:
                yield from ((piece, None) for piece in drained(self.pieces(segment)))

    def tokens(self, piece: AlignedText, index: Optional[int]) -> List[Token]:
        """The tokens of one piece; an added token is one, spelled as it stands in the text."""
        if index is not None:
            return [Token(index, piece.text, 0, len(piece.text))]
        tokenize = self._remembered if len(piece.text) <= _SHORT_PIECE else self.segmenter.tokenize
        return tokenize(piece.text)

    def _each_token(self, piece: AlignedText, index: Optional[int]) -> Iterator[Token]:
        tokens = self.tokens(piece, index)
        return iter(tokens) if len(piece.text) <= _SHORT_PIECE else drained(tokens)  # nobody else has these

    @cached_property
    def _remembered(self) -> Callable[[str], List[Token]]:
        """The model on short pieces, of which a text holds many twice."""
        return lru_cache(maxsize=_REMEMBERED_PIECES)(self.segmenter.tokenize)

    def place(self, text: str) -> Iterator[Placed]:
        """The tokens of a text with their offsets (``encoding.offsets``) and word ids."""
        data = _Bytes(text.encode("utf-8"))
        end = (len(text), len(data.data))
        return (
            Placed(token.id, token.value, span, word)
            for word, (piece, index) in enumerate(self.split(text))
            for token in self._each_token(piece, index)
            for span in [
                data.beyond(token)
                if token.end > len(piece.text)
                else _span(piece.original_span(token.start, token.end), *end)
            ]
        )

    def encode(self, text: str, pair: Optional[str], add_special_tokens: bool) -> Columns:
        """The complete encoding of one text or one pair.

        Raises:
            EncodeError: the oracle, too, fails on this.
        """
        first = Columns.of(self.place(text), 0)
        second = None if pair is None else Columns.of(self.place(pair), 1)
        description = self.description
        if description.truncation is not None:
            added = added_tokens(description, second is not None, add_special_tokens)
            first, second = truncate_pair(first, second, description.truncation, added)
        parts = [first] if second is None else [first, second]
        columns = merge(post_process(description.post_processor, parts, add_special_tokens))
        padding = description.padding
        return columns if padding is None else pad(columns, padded_length([len(columns)], padding), padding)


def added_tokens(description: Description, pair: bool, add_special_tokens: bool) -> int:
    """How many special tokens truncation leaves room for."""
    processor = description.post_processor
    return processor.added_tokens(pair) if processor is not None and add_special_tokens else 0


def post_process(
    processor: Optional[PostProcessor], parts: List[Columns], add_special_tokens: bool
) -> List[Columns]:
    """What the post-processor makes of one sequence or of two, to be merged."""
    if processor is None:
        return parts
    return processor.process([part.with_type(i) for i, part in enumerate(parts)], add_special_tokens)


def drained(items: List[Item]) -> Iterator[Item]:
    """The items in order; none is held once the next one was asked for. Of a long text they are many."""
    items.reverse()
    while items:
        yield items.pop()


def _span(span: Span, size: int, size_in_bytes: int) -> Span:
    """Offsets as reported: behind the last character bytes are counted (``encoding.offsets.end``)."""
    start, end = span
    return span if start < size else (size_in_bytes, size_in_bytes + end - start)


@dataclass(frozen=True)
class _Bytes:
    """A text in UTF-8, for tokens that hold more bytes than their piece (``encoding.offsets.beyond``)."""

    data: bytes

    def beyond(self, token: Token) -> Span:
        """Bytes behind a piece, taken for bytes of the whole text."""
        size = len(self.data)
        if token.start >= size:
            return (token.start, token.end)
        start = self._characters[token.start]
        if token.end < size:
            return (start, self._characters[token.end])
        return (start, self._characters[-1] + 1 if token.end == size else start + 2)

    @cached_property
    def _characters(self) -> List[int]:
        """For each byte the index of the character that holds it."""
        return list(accumulate((byte & 0xC0 != 0x80 for byte in self.data), initial=-1))[1:]
