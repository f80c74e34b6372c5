"""Nothing: a normalizer that a device file lists and that does nothing. Clause ``mtok.normalizer.none``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NoReturn

from ..aligned import AlignedText
from ..device_only import refuse
from ..fields import Fields


@dataclass(frozen=True)
class Nothing:
    """Stands in a Sequence only."""

    TYPE: ClassVar[str] = "Nothing"
    CLAUSE: ClassVar[str] = "mtok.normalizer.none"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        refuse(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        refuse(self.TYPE, "normalizer.type")

    def normalize(self, text: str) -> str:
        return text

    def align(self, text: AlignedText) -> AlignedText:
        return text
