"""UntabledNFKC: NFKC that a device file asks for without giving a table. Clause ``mtok.normalizer.nfkc``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NoReturn

from ..aligned import AlignedText
from ..device_only import refuse
from ..fields import Fields
from .nfkc import NFKC


@dataclass(frozen=True)
class UntabledNFKC:
    """The whole algorithm, composition included, as `NFKC` has it."""

    TYPE: ClassVar[str] = "UntabledNFKC"
    CLAUSE: ClassVar[str] = "mtok.normalizer.nfkc"
    anchored: ClassVar[bool] = True

    @classmethod
    def from_fields(cls, fields: Fields) -> NoReturn:
        refuse(cls.TYPE, fields.place("type"))

    def to_fields(self) -> NoReturn:
        refuse(self.TYPE, "normalizer.type")

    def normalize(self, text: str) -> str:
        return NFKC().normalize(text)

    def align(self, text: AlignedText) -> AlignedText:
        return NFKC().align(text)
