"""The source document's rule: all the ids asked for, or a shorter n-gram."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..texts import Texts
from . import NO_DRAFT, Draft
from ._options import check_counts, no_padding


@dataclass(frozen=True)
class Seed:
    """``lookup.seed.*``; `find_candidate_ids` is its definition.

    Only the leftmost occurrence can fit: both conditions are upper bounds on its position.
    """

    NAME: ClassVar[str] = "seed"
    max_ngram: int = 3
    num_draft: int = 10
    strict: bool = False

    def __post_init__(self) -> None:
        check_counts(self.max_ngram, self.num_draft)

    def open(self) -> Texts:
        return Texts(self.max_ngram)

    def draft(self, tables: Texts) -> Draft:
        length, wanted = len(tables.ids), self.num_draft
        if self.strict and length < self.max_ngram:
            raise ValueError(
                f"a history of {length} ids is shorter than the n-gram of {self.max_ngram}; "
                "give more ids, a smaller max_ngram, or strict=False to try shorter n-grams"
            )
        for n, ids, start, stop, reference in tables.candidates():
            apart = reference or start < length - n
            if apart and start + wanted <= stop:
                return Draft(ids[start : start + wanted].tolist(), n)
        return NO_DRAFT

    padding = staticmethod(no_padding)
