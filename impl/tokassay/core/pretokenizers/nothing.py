"""Nothing: a pre-tokenizer of a device file that does nothing. Clause ``mtok.pretokenizer.none``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, List

from ..aligned import AlignedText
from ..device_only import DeviceOnly


@dataclass(frozen=True)
class Nothing(DeviceOnly):
    """Stands in a Sequence only."""

    TYPE: ClassVar[str] = "Nothing"
    PART: ClassVar[str] = "pre_tokenizer"
    CLAUSE: ClassVar[str] = "mtok.pretokenizer.none"

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [piece] if piece else []

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        return [piece] if piece.text else []
