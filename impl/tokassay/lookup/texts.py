"""What the first-occurrence rules look in: the history, and texts that are not the history."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Iterator, List, NamedTuple, Optional, Sequence

from .occurrences import SEPARATOR, FirstOccurrences, to_ids


class Candidate(NamedTuple):
    """An earlier occurrence of the last `n` ids: what followed it stands in ``ids[start:stop]``."""

    n: int
    ids: array[int]
    start: int
    stop: int
    reference: bool


class Texts:
    """The history and its n-grams; reference texts and theirs, in the order in which they were given.

    No n-gram and no continuation crosses from one text to another (``lookup.reference``).
    """

    def __init__(self, max_ngram: int) -> None:
        self._max_ngram = max_ngram
        self.history = FirstOccurrences(max_ngram)
        self._references: Optional[FirstOccurrences] = None
        self._stops: List[int] = []  # where each reference text ends

    @property
    def ids(self) -> array[int]:
        return self.history.ids

    def extend(self, ids: Sequence[int], role: str) -> None:
        """Append to the history, or add a whole reference text."""
        if role != "reference":
            self.history.extend(ids)
            return
        if self._references is None:
            self._references = FirstOccurrences(self._max_ngram)
        self._references.extend([*to_ids(ids), SEPARATOR])
        self._stops.append(len(self._references.ids) - 1)

    def truncate(self, length: int) -> None:
        """Keep the first `length` ids of the history; reference texts stay."""
        self.history.truncate(length)

    def candidates(self) -> Iterator[Candidate]:
        """The leftmost earlier occurrence for each n, the longest n first; the history before references."""
        ids, ends = self.ids, self.history.ends
        if self._references is None:
            for n in range(len(ends), 0, -1):
                yield Candidate(n, ids, ends[n - 1] + 1, len(ids), reference=False)
        else:
            yield from self._all_candidates(self._references)

    def _all_candidates(self, references: FirstOccurrences) -> Iterator[Candidate]:
        ids, ends = self.ids, self.history.ends
        others = references.find(ids[-self._max_ngram :])
        for n in range(max(len(ends), len(others)), 0, -1):
            if n <= len(ends):
                yield Candidate(n, ids, ends[n - 1] + 1, len(ids), reference=False)
            if n <= len(others):
                start = others[n - 1] + 1
                stop = self._stops[bisect_left(self._stops, start)]
                yield Candidate(n, references.ids, start, stop, reference=True)
