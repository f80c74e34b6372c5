"""Padding as stored in a file (clauses ``encoding.padding.*``)."""

from __future__ import annotations

from typing import Iterable, List

from .columns import Columns, join
from .description import Padding
from .errors import EncodeError

# The oracle tries to allocate whatever the file says and takes the process down with it.
_MOST = 2**28


def padded_length(lengths: Iterable[int], padding: Padding) -> int:
    """The common length of a batch whose encodings have `lengths` ids.

    Raises:
        EncodeError: the file asks for more than 2**28 ids.
    """
    length = max(lengths, default=0) if padding.fixed is None else padding.fixed
    multiple = padding.pad_to_multiple_of or 0
    if multiple and length % multiple:
        length += multiple - length % multiple
    if length > _MOST:
        raise EncodeError(f"padding: {length} ids are more than {_MOST}")
    return length


def pad_ids(ids: List[int], length: int, padding: Padding) -> List[int]:
    """`ids` with padding up to `length`; longer ones stay as they are."""
    filler = [padding.pad_id] * (length - len(ids))
    return filler + ids if padding.direction == "Left" else ids + filler


def pad(columns: Columns, length: int, padding: Padding) -> Columns:
    """The same for all columns; the overflowing encodings are padded to the same length."""

    def fill(one: Columns) -> Columns:
        missing = max(length - len(one), 0)
        ids, tokens = [padding.pad_id] * missing, [padding.pad_token] * missing
        filler = Columns.special(ids, tokens, padding.pad_type_id, attention=0)
        return join([filler, one] if padding.direction == "Left" else [one, filler])

    return columns.each(fill)
