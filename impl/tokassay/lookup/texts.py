"""What the first-occurrence rules look in: the history, and texts that are not the history."""

from __future__ import annotations

from array import array
from typing import Iterator, List, Sequence, Tuple

from .occurrences import FirstOccurrences

Candidate = Tuple[int, "array[int]", int, int, bool]
"""An earlier occurrence of the last n ids: ``(n, ids, start, stop, reference)``.

What followed it stands in ``ids[start:stop]``; `reference` tells that `ids` is not the history.
"""


class Texts:
    """The history and its n-grams; reference texts and theirs, in the order in which they were given.

    No n-gram and no continuation crosses from one text to another (``lookup.reference``).
    """

    def __init__(self, max_ngram: int) -> None:
        self._max_ngram = max_ngram
        self.history = FirstOccurrences(max_ngram)
        self._references: List[FirstOccurrences] = []

    @property
    def ids(self) -> array[int]:
        return self.history.ids

    def extend(self, ids: Sequence[int], role: str) -> None:
        """Append to the history, or add a whole reference text."""
        if role != "reference":
            self.history.extend(ids)
            return
        reference = FirstOccurrences(self._max_ngram)
        reference.extend(ids)
        self._references.append(reference)

    def truncate(self, length: int) -> None:
        """Keep the first `length` ids of the history; reference texts stay."""
        self.history.truncate(length)

    def candidates(self) -> Iterator[Candidate]:
        """The leftmost earlier occurrence for each n and text: the longest n first, the history first."""
        ids, ends = self.ids, self.history.ends
        if self._references:
            yield from self._all_candidates()
            return
        for n in range(len(ends), 0, -1):
            yield n, ids, ends[n - 1] + 1, len(ids), False

    def _all_candidates(self) -> Iterator[Candidate]:
        tail = self.ids[-self._max_ngram :]
        texts = [(self.ids, self.history.ends, False)]
        texts += [(reference.ids, reference.find(tail), True) for reference in self._references]
        for n in range(max(len(ends) for _, ends, _ in texts), 0, -1):
            for ids, ends, reference in texts:
                if n <= len(ends) and ends[n - 1] + 1 < len(ids):  # else nothing follows there
                    yield n, ids, ends[n - 1] + 1, len(ids), reference
