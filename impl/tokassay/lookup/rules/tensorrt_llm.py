"""TensorRT-LLM's rule (its n-gram pool, private, oldest entry): the bonus token's place is kept free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from ..texts import Texts
from . import NO_DRAFT, Draft
from ._options import check_counts, no_padding


@dataclass(frozen=True)
class TensorRtLlm:
    """``lookup.tensorrt-llm.*``: the pool of one sequence, filled in one scan.

    The oldest entry of the longest n-gram wins; a longer entry displaces shorter ones, and the leftmost
    occurrence has the longest continuation.

    Attributes:
        max_length: the longest sequence; draft and bonus token together do not go beyond it.
    """

    NAME: ClassVar[str] = "tensorrt-llm"
    max_ngram: int = 3
    num_draft: int = 10
    max_length: Optional[int] = None

    def __post_init__(self) -> None:
        check_counts(self.max_ngram, self.num_draft)

    def open(self) -> Texts:
        return Texts(self.max_ngram)

    def draft(self, tables: Texts) -> Draft:
        room = self.num_draft
        if self.max_length is not None:
            room = min(room, self.max_length - 1 - len(tables.ids))
        for n, ids, start, stop, _ in tables.candidates():
            return Draft(ids[start : min(start + room, stop)].tolist(), n) if room > 0 else NO_DRAFT
        return NO_DRAFT

    padding = staticmethod(no_padding)
