"""Nothing: a pre-tokenizer of a device file that does nothing. Clause ``mtok.pretokenizer.none``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, List, NoReturn

from ..aligned import AlignedText
from ..device_only import refuse
from ..fields import Fields


@dataclass(frozen=True)
class Nothing:
    """Stands in a Sequence only."""

    TYPE: ClassVar[str] = "Nothing"
    CLAUSE: ClassVar[str] = "mtok.pretokenizer.none"

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        refuse(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        refuse(self.TYPE, "pre_tokenizer.type")

    def split(self, piece: str, *, first: bool = False) -> List[str]:  # noqa: ARG002 - the protocol's
        return [piece] if piece else []

    def split_aligned(self, piece: AlignedText) -> List[AlignedText]:
        return [piece] if piece.text else []
