"""llama.cpp's simple rule (ngram-simple): one n, the rightmost occurrence, a minimum of continuation."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import ClassVar, Dict, Sequence

from ..occurrences import to_ids
from . import NO_DRAFT, Draft
from ._options import check_counts, no_padding


@dataclass(frozen=True)
class LlamaCppSimple:
    """``lookup.llama-cpp.*``: n is always `max_ngram`; the last id is the one just sampled.

    Nothing is drafted from a history that is short for both numbers, from index 0, or from an occurrence
    with fewer than n ids between its end and the sampled one.
    """

    NAME: ClassVar[str] = "llama.cpp-simple"
    max_ngram: int = 3
    num_draft: int = 10

    def __post_init__(self) -> None:
        check_counts(self.max_ngram, self.num_draft)

    def open(self) -> LastOccurrences:
        return LastOccurrences(self.max_ngram)

    def draft(self, tables: LastOccurrences) -> Draft:
        ids, n = tables.ids, self.max_ngram
        before_sampled = len(ids) - 1
        if before_sampled <= n + self.num_draft + 1:
            return NO_DRAFT
        start = tables.last(ids[-n:])
        stop = min(start + self.num_draft, before_sampled)
        return Draft(ids[start:stop].tolist(), n) if start and stop - start >= n else NO_DRAFT

    padding = staticmethod(no_padding)


class LastOccurrences:
    """Where each n-gram of one n ended last; what it said before is kept for taking ids back.

    An n-gram enters when two more ids stand after it: the rule looks no further right
    (``lookup.llama-cpp.rightmost``).
    """

    DELAY = 2

    def __init__(self, n: int) -> None:
        self._n = n
        self.ids = array("I")
        self._ends: Dict[bytes, int] = {}
        self._before = array("q")  # one per id: where the n-gram ending there was last before; 0 for nowhere

    def extend(self, ids: Sequence[int], role: str) -> None:
        if role == "reference":
            raise ValueError("the rule llama.cpp-simple knows no reference texts: give it the history only")
        self.ids.extend(to_ids(ids))
        for end in range(max(len(self._before) + 1, 1), len(self.ids) - self.DELAY + 1):
            self._before.append(self._enter(end))

    def _enter(self, end: int) -> int:
        """Enter the n-gram before `end`; index 0 never counts. Gives what was there."""
        if end <= self._n:
            return 0
        key = self.ids[end - self._n : end].tobytes()
        before = self._ends.get(key, 0)
        self._ends[key] = end
        return before

    def last(self, ngram: array[int]) -> int:
        """Where the text went on after the n-gram's last occurrence; 0 when there is none."""
        return self._ends.get(ngram.tobytes(), 0)

    def truncate(self, length: int) -> None:
        for end in range(len(self._before), max(length - self.DELAY, 0), -1):
            before = self._before.pop()
            if end > self._n:
                self._restore(self.ids[end - self._n : end].tobytes(), before)
        del self.ids[length:]

    def _restore(self, key: bytes, before: int) -> None:
        if before:
            self._ends[key] = before
        else:
            del self._ends[key]
