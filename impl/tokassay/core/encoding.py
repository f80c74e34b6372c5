"""What `Tokenizer.encode` returns: ids at once, everything else when first asked for."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple, Union

from .aligned import Span
from .columns import Columns

Call = Tuple[Any, ...]
"""A function that makes the columns, and its arguments."""


class Encoding:
    """The result of encoding one text or one pair. Clauses: ``encoding.*``.

    Attributes (lists, one entry per token; do not change them):
        ids: token ids.
        tokens: the token strings, as in the vocabulary.
        offsets: (start, end) in characters of the original text the token comes from.
        type_ids: 0 for the first sequence, 1 for the second, or what the post-processor says.
        attention_mask: 0 for padding, 1 for the rest.
        special_tokens_mask: 1 for tokens that the post-processor or the padding added.
        word_ids: index of the pre-tokenized piece, None for added special tokens and padding.
        overflowing: the encodings that truncation cut off.
    """

    # Not a dataclass: one is made for every short line, and its construction is then a measurable
    # part of the work. It is a value all the same: nothing changes it once it is made.
    __slots__ = ("_rest", "ids")

    def __init__(self, ids: List[int], rest: Union[Columns, Call]) -> None:
        self.ids = ids
        self._rest = rest

    @classmethod
    def of(cls, columns: Columns) -> Encoding:
        """An encoding whose columns are known already."""
        return cls(columns.ids, columns)

    def columns(self) -> Columns:
        """All columns; computed once."""
        rest = self._rest
        if not isinstance(rest, Columns):
            complete, *arguments = rest
            self._rest = rest = complete(*arguments)
        return rest

    @property
    def tokens(self) -> List[str]:
        return self.columns().tokens

    @property
    def offsets(self) -> List[Span]:
        return self.columns().offsets

    @property
    def type_ids(self) -> List[int]:
        return self.columns().type_ids

    @property
    def attention_mask(self) -> List[int]:
        return self.columns().attention_mask

    @property
    def special_tokens_mask(self) -> List[int]:
        return self.columns().special_tokens_mask

    @property
    def word_ids(self) -> List[Optional[int]]:
        return self.columns().word_ids

    @property
    def overflowing(self) -> List[Encoding]:
        return [Encoding.of(one) for one in self.columns().spill()]

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoding) and self.columns() == other.columns()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.ids[:12])) + (", ..." if len(self.ids) > 12 else "")
        return f"Encoding({len(self.ids)} ids: [{shown}])"
