"""vocab.txt of BERT: one token a line, the line is the id (clauses ``tokenizer-txt.sources.vocab-txt``)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count, takewhile

from ..core.description import Description, Device
from ..core.errors import FormatError
from .tokenizer_txt.contents import Contents, Words, texts
from .tokenizer_txt.documented import describe
from .tokenizer_txt.lines import Lines

NAME = "vocab.txt"
_UNKNOWN = re.compile(rb"(?:^|\n)\[UNK\]\r?(?:\n|$)")


def probe(data: bytes) -> bool:
    """A text in which [UNK] is a line."""
    return b"\0" not in data[:4096] and _UNKNOWN.search(data) is not None


def parse(data: bytes) -> Description:
    """WordPiece as `tokenizer.txt` has it for BERT; FormatError for a line that is not UTF-8."""
    lines = Lines(data)
    fields = takewhile(lambda _: lines.left, map("vocab[{}]".format, count()))
    words = texts(lines, map(lines.line, fields), "vocab")
    return replace(describe(Contents(Device(), Words(words))), device=None)


def serialize(description: Description) -> bytes:  # noqa: ARG001
    """FormatError: this is a source only."""
    raise FormatError("is only read; write tokenizer.txt", field="format")
