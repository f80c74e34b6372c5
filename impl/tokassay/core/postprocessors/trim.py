"""Offsets without the white space that a token holds at its ends (clause ``post.trim-offsets``)."""

from __future__ import annotations

from dataclasses import replace

from ..aligned import Span
from ..charsets import WHITE_SPACE
from ..columns import Columns

# The byte-level alphabet writes the space as U+0120.
_BLANK = WHITE_SPACE + "\u0120"


def trim_offsets(columns: Columns, add_prefix_space: bool) -> Columns:
    """Trimmed offsets, in the overflowing encodings too."""

    def trim(one: Columns) -> Columns:
        offsets = [
            _trimmed(token, span, add_prefix_space and (i == 0 or span[0] == 0))
            for i, (token, span) in enumerate(zip(one.tokens, one.offsets))
        ]
        return replace(one, offsets=offsets + one.offsets[len(offsets) :])

    return columns.each(trim)


def _trimmed(token: str, span: Span, prefixed: bool) -> Span:
    """`prefixed`: a single leading space is one that the pre-tokenizer inserted, and no text."""
    leading, trailing = len(token) - len(token.lstrip(_BLANK)), len(token) - len(token.rstrip(_BLANK))
    if prefixed and leading == 1:
        leading = 0
    start, end = span
    start = min(start + leading, end)
    if end >= trailing:
        end = max(end - trailing, start)
    return start, end
