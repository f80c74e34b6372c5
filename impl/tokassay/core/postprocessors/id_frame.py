"""IdFrame: ids around the text. Clauses ``mtok.header.prefix`` and ``mtok.tail.program``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, List, Optional, Tuple

from ..columns import Columns
from ..device_only import DeviceOnly


@dataclass(frozen=True)
class IdFrame(DeviceOnly):
    """`ops` in order: an id, or None for the text. `tokens` are their strings, "" where unknown.

    Two texts stand one after the other where one would stand; a frame without a place for the text
    loses it, as the file says.
    """

    TYPE: ClassVar[str] = "IdFrame"
    PART: ClassVar[str] = "post_processor"
    CLAUSE: ClassVar[str] = "mtok.tail.program"
    ops: Tuple[Optional[int], ...]
    tokens: Tuple[str, ...]

    def added_tokens(self, pair: bool) -> int:  # noqa: ARG002
        return sum(op is not None for op in self.ops)

    def process(self, parts: List[Columns], add_special_tokens: bool) -> List[Columns]:
        if not add_special_tokens:
            return parts
        framed: List[Columns] = []
        for op, token in zip(self.ops, self.tokens):
            framed += parts if op is None else [Columns.special([op], [token], 0)]
        return framed
