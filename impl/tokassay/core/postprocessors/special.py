"""What BertProcessing and RobertaProcessing share: a token with its id, and putting it around."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

from ..columns import Columns, join
from ..fields import Fields

SpecialToken = Tuple[str, int]


def special_token(fields: Fields, name: str) -> SpecialToken:
    """A ``["[SEP]", 102]`` field; FormatError when it is anything else."""
    pair = fields.sequence(name)
    if len(pair) != 2:
        raise fields.error(name, f"expected a token and its id, got {len(pair)} items")
    parts = Fields({"token": pair[0], "id": pair[1]}, fields.place(name))
    return parts.string("token"), parts.integer("id", most=2**32 - 1)


def enclose(
    columns: Columns, left: Optional[SpecialToken], right: SpecialToken, type_ids: Tuple[int, int]
) -> Columns:
    """`left` before and `right` after an encoding and each of its overflowing ones.

    `type_ids` are those of `left` and `right`. Whatever the encoding held counts as text from now
    on: its masks are reset.
    """

    def around(one: Columns) -> Columns:
        n = len(one)
        body = replace(one, special_tokens_mask=[0] * n, attention_mask=[1] * n)
        head = Columns() if left is None else Columns.special([left[1]], [left[0]], type_ids[0])
        return join([head, body, Columns.special([right[1]], [right[0]], type_ids[1])])

    return columns.each(around)
