"""tokenizer.txt, the older text format of MNN: four kinds of vocabulary (clauses ``tokenizer-txt.*``).

Read as the format's document says. What the measured loader does with the same file is the codec
``tokenizer.txt-loader``, which is asked for by name.
"""

from __future__ import annotations

from ...core.description import Description
from .contents import probe, read
from .documented import describe
from .writing import missing, project, serialize

__all__ = ["NAME", "missing", "parse", "probe", "project", "serialize"]

NAME = "tokenizer.txt"


def parse(data: bytes) -> Description:
    """The description; FormatError with field and offset."""
    return describe(read(data))
