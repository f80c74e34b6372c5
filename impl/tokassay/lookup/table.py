"""The look-up table as one would draw it: each n-gram of a text beside what followed it."""

from __future__ import annotations

from typing import List, NamedTuple, Sequence, Tuple, TypeVar, Union

Token = TypeVar("Token")


class Row(NamedTuple):
    """One line of the table: an n-gram, and the tokens that came after it."""

    ngram: Tuple[object, ...]
    continuation: Tuple[object, ...]


def table(ids: Union[str, Sequence[object]], max_ngram: int = 2, num_draft: int = 3) -> List[Row]:
    """Every n-gram of `max_ngram` tokens that has `num_draft` tokens after it, in the text's order.

    `ids` may be a text: its words then stand for the tokens, and a final question mark, full stop or
    exclamation mark is not one of them (the source document's example, ``lookup.table``).

    >>> for row in table("What is the capital of South Korea?"):
    ...     print(" ".join(row.ngram), "|", " ".join(row.continuation))
    What is | the capital of
    is the | capital of South
    the capital | of South Korea
    """
    tokens = ids.rstrip("?.!").split() if isinstance(ids, str) else ids
    last = len(tokens) - max_ngram - num_draft
    cuts = ((start, start + max_ngram, start + max_ngram + num_draft) for start in range(last + 1))
    return [Row(tuple(tokens[start:middle]), tuple(tokens[middle:end])) for start, middle, end in cuts]


def draw(rows: Sequence[Row]) -> str:
    """The rows in two columns, for a terminal."""
    left = [" ".join(map(str, row.ngram)) for row in rows]
    width = max(map(len, left), default=0)
    right = (" ".join(map(str, row.continuation)) for row in rows)
    return "\n".join(f"{first:<{width}}  {second}" for first, second in zip(left, right))
