"""CodePointTable: every character by itself through a stored table. Clause ``mtok.normalizer.nfkc-table``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Mapping, Optional, Tuple

from ..aligned import AlignedText
from ..device_only import DeviceOnly

Entry = Tuple[int, str]


@dataclass(frozen=True)
class CodePointTable(DeviceOnly):
    """What .mtok keeps of a Unicode form: code point → text, ascending. Nothing composes or is reordered."""

    TYPE: ClassVar[str] = "CodePointTable"
    PART: ClassVar[str] = "normalizer"
    CLAUSE: ClassVar[str] = "mtok.normalizer.nfkc-table"
    entries: Tuple[Entry, ...]

    @cached_property
    def table(self) -> Mapping[int, str]:
        """For `str.translate`."""
        return dict(self.entries)

    @cached_property
    def _dropped(self) -> Mapping[int, Optional[str]]:
        return {code: None for code, text in self.entries if not text}

    @property
    def anchored(self) -> bool:
        """See `tokassay.core.alignment`."""
        return not self._dropped

    def normalize(self, text: str) -> str:
        return text.translate(self.table)

    def align(self, text: AlignedText) -> AlignedText:
        if self._dropped:
            text = text.filtered(self._dropped)
        return text.expanded(self.normalize)
