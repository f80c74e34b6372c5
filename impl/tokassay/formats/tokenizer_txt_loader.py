"""tokenizer.txt as the measured loader takes it (``tokenizer-txt.loader.*``); only asked for by name."""

from __future__ import annotations

from ..core.description import Description
from ..core.errors import FormatError
from .tokenizer_txt.contents import read
from .tokenizer_txt.measured import describe

NAME = "tokenizer.txt-loader"


def probe(data: bytes) -> bool:  # noqa: ARG001
    """Never: the file is the same, `tokenizer.txt` reads it as documented."""
    return False


def parse(data: bytes) -> Description:
    """The description; FormatError with field and offset."""
    return describe(read(data))


def serialize(description: Description) -> bytes:  # noqa: ARG001
    """FormatError: this is a way to read."""
    raise FormatError("is a way to read tokenizer.txt; write tokenizer.txt", field="format")
