"""UntabledNFKC: NFKC that a device file asks for without giving a table. Clause ``mtok.normalizer.nfkc``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..aligned import AlignedText
from ..device_only import DeviceOnly
from .nfkc import NFKC


@dataclass(frozen=True)
class UntabledNFKC(DeviceOnly):
    """The whole algorithm, composition included, as `NFKC` has it."""

    TYPE: ClassVar[str] = "UntabledNFKC"
    PART: ClassVar[str] = "normalizer"
    CLAUSE: ClassVar[str] = "mtok.normalizer.nfkc"
    anchored: ClassVar[bool] = True

    def normalize(self, text: str) -> str:
        return NFKC().normalize(text)

    def align(self, text: AlignedText) -> AlignedText:
        return NFKC().align(text)
