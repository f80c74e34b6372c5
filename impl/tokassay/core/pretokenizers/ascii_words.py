"""ASCII words: runs of letters and digits, everything else character by character, blanks dropped.

Clause ``tokenizer-txt.loader.ascii-words``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, List

from ..aligned import AlignedText
from ..device_only import DeviceOnly

_WORD = re.compile("[0-9A-Za-z]+|[^\\t\\n\\x0b\\x0c\\r ]")


@dataclass(frozen=True)
class AsciiWords(DeviceOnly):
    """What the measured loader takes for words in a BERT file."""

    TYPE: ClassVar[str] = "ASCII words"
    PART: ClassVar[str] = "pre_tokenizer"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.ascii-words"

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return _WORD.findall(piece)

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        return piece.cut([found.span() for found in _WORD.finditer(piece.text)])
