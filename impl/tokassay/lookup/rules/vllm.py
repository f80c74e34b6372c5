"""vLLM's rule (NgramProposer on the CPU): the longest n-gram in a range, its leftmost occurrence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Optional

from ..texts import Texts
from . import NO_DRAFT, Draft
from ._options import check_counts, check_range, no_padding


@dataclass(frozen=True)
class Vllm:
    """``lookup.vllm.*``: overlap with the end is allowed, drafts may be short, end tokens are drafted.

    Attributes:
        min_ngram: the shortest n-gram that counts.
        max_model_len: the longest history that the model takes; the draft fills it up at most.
    """

    NAME: ClassVar[str] = "vllm"
    max_ngram: int = 3
    num_draft: int = 10
    min_ngram: int = 1
    max_model_len: Optional[int] = None

    def __post_init__(self) -> None:
        check_counts(self.max_ngram, self.num_draft)
        check_range("min_ngram", self.min_ngram, 1, self.max_ngram)

    def open(self) -> Texts:
        return Texts(self.max_ngram)

    def draft(self, tables: Texts) -> Draft:
        room = self.num_draft
        if self.max_model_len is not None:
            room = min(room, self.max_model_len - len(tables.ids))
        for n, ids, start, stop, _ in tables.candidates():
            if n < self.min_ngram or room <= 0:
                break
            return Draft(ids[start : min(start + room, stop)].tolist(), n)
        return NO_DRAFT

    padding = staticmethod(no_padding)
