"""The complete columns of an encoding, as values: made, cut, joined and merged.

HF's ``Encoding`` without its behaviour. The number of ids is the length of an encoding; the other
columns have one entry per id, except where a template names special tokens with more ids than
tokens (clause ``post.template.uneven``). Overflowing encodings are computed when asked for,
because merging two truncated sequences combines each of them with each (``encoding.merge``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Callable, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from .aligned import Span


class Placed(NamedTuple):
    """A token in the original text: `span` in characters of it, `word` the index of its piece."""

    id: int
    value: str
    span: Span
    word: int


def nothing() -> Tuple[Columns, ...]:
    """No overflowing encodings."""
    return ()


@dataclass(frozen=True)
class Columns:
    """One list per property, index = position of the token; `spill()` gives the overflowing ones."""

    ids: List[int] = field(default_factory=list)
    tokens: List[str] = field(default_factory=list)
    offsets: List[Span] = field(default_factory=list)
    word_ids: List[Optional[int]] = field(default_factory=list)
    type_ids: List[int] = field(default_factory=list)
    special_tokens_mask: List[int] = field(default_factory=list)
    attention_mask: List[int] = field(default_factory=list)
    spill: Callable[[], Tuple[Columns, ...]] = field(default=nothing, compare=False, repr=False)

    @classmethod
    def of(cls, tokens: Iterable[Placed], type_id: int) -> Columns:
        """The encoding of one sequence before any post-processing; no token is held."""
        ids: List[int] = []
        values: List[str] = []
        spans: List[Span] = []
        words: List[Optional[int]] = []
        for index, value, span, word in tokens:
            ids.append(index)
            values.append(value)
            spans.append(span)
            words.append(word)
        n = len(ids)
        return cls(ids, values, spans, words, [type_id] * n, [0] * n, [1] * n)

    @classmethod
    def special(cls, ids: Sequence[int], tokens: Sequence[str], type_id: int, attention: int = 1) -> Columns:
        """Tokens that stand for no text: special tokens, and padding (`attention` 0)."""
        n = len(ids)
        return cls(list(ids), list(tokens), [(0, 0)] * n, [None] * n, [type_id] * n, [1] * n, [attention] * n)

    def __len__(self) -> int:
        return len(self.ids)

    def with_type(self, type_id: int) -> Columns:
        """The same with one type id throughout; its overflowing encodings keep theirs."""
        wanted = [type_id] * len(self)
        return self if self.type_ids == wanted else replace(self, type_ids=wanted)

    def cut(self, start: int, stop: int) -> Columns:
        """Tokens `start` to `stop`, without overflowing encodings."""
        return Columns(
            self.ids[start:stop],
            self.tokens[start:stop],
            self.offsets[start:stop],
            self.word_ids[start:stop],
            self.type_ids[start:stop],
            self.special_tokens_mask[start:stop],
            self.attention_mask[start:stop],
        )

    def each(self, change: Callable[[Columns], Columns]) -> Columns:
        """`change` applied to this encoding and, when they are asked for, to its overflowing ones."""
        return change(self).spilling(lambda: tuple(one.each(change) for one in self.spill()))

    def spilling(self, spill: Callable[[], Tuple[Columns, ...]]) -> Columns:
        """The same with other overflowing encodings."""
        return Columns(
            self.ids,
            self.tokens,
            self.offsets,
            self.word_ids,
            self.type_ids,
            self.special_tokens_mask,
            self.attention_mask,
            spill,
        )


def join(parts: Sequence[Columns]) -> Columns:
    """All parts in order, without overflowing encodings."""
    if len(parts) == 1:
        return parts[0].spilling(nothing)
    whole = Columns()
    for part in parts:
        whole.ids.extend(part.ids)
        whole.tokens.extend(part.tokens)
        whole.offsets.extend(part.offsets)
        whole.word_ids.extend(part.word_ids)
        whole.type_ids.extend(part.type_ids)
        whole.special_tokens_mask.extend(part.special_tokens_mask)
        whole.attention_mask.extend(part.attention_mask)
    return whole


def merge(parts: Sequence[Columns]) -> Columns:
    """All parts in order; their overflowing encodings are combined each with each (``encoding.merge``)."""
    return join(parts).spilling(lambda: tuple(merge(choice) for choice in _choices(parts)))


def _choices(parts: Sequence[Columns]) -> List[List[Columns]]:
    """Every choice of a part itself or one of its overflowing encodings, in the oracle's order.

    The choice of all parts themselves is left out: that is the main encoding.
    """
    choices: List[List[Columns]] = []
    for i, part in enumerate(parts):
        others = part.spill()
        if others:
            choices = [[*choice, one] for choice in choices for one in (part, *others)]
            choices += [[*parts[:i], one] for one in others]
        else:
            for choice in choices:
                choice.append(part)
    return choices
