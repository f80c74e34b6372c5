"""Where each n-gram of a growing text ended first: one dictionary for each n, a step for each token.

An n-gram is named by where it first ended: ``(first end of its last n - 1 tokens, the token before
them)`` is a key of two machine words, however long the n-gram is and however large its ids are.

An n-gram that occurs for the second time is the only one whose longer forms can be asked for, so the
longer form of a first occurrence waits until then. A text without repetition costs one entry a token.
"""

from __future__ import annotations

from array import array
from typing import Dict, Iterable, List, Sequence

BITS = 32
LARGEST = (1 << BITS) - 1


def to_ids(values: Iterable[int]) -> array[int]:
    """The ids as 32-bit numbers. Raises ValueError for what is not an id."""
    try:
        return array("I", values)
    except (OverflowError, TypeError) as error:
        raise ValueError(f"ids are whole numbers from 0 to {LARGEST}: {error}") from error


class FirstOccurrences:
    """The n-grams (n = 1 ... `max_ngram`) of a text that grows and shrinks at its end.

    `ends[n - 1]` is where the last n tokens ended first, earlier in the text; it stops at the longest
    n-gram that has occurred before.
    """

    def __init__(self, max_ngram: int) -> None:
        self.ids = array("I")
        self.ends: List[int] = []
        # Entry: where the n-gram ended first; as its complement once it has occurred again.
        self._tables: List[Dict[int, int]] = [{} for _ in range(max_ngram)]

    def extend(self, values: Sequence[int]) -> None:
        """Append ids: for each, one look-up for every n that has occurred before, and one for the next."""
        ids, tables, ends = self.ids, self._tables, self.ends
        position, longest = len(ids), len(tables)
        ids.extend(to_ids(values))
        for key in ids[position:]:
            ends = []
            for n, table in enumerate(tables, 1):
                first = table.get(key)
                if first is None:
                    table[key] = position
                    break
                if first < 0:
                    first = ~first
                else:
                    table[key] = ~first
                    if n < longest and first >= n:  # now its longer form can be asked for
                        tables[n][first << BITS | ids[first - n]] = first
                ends.append(first)
                if n > position:
                    break
                key = first << BITS | ids[position - n]  # noqa: PLW2901 - the same tail, one token longer
            position += 1
        self.ends = ends

    def find(self, tail: Sequence[int]) -> List[int]:
        """`ends` for the tail of another text: where its last n tokens ended first in this one."""
        ends: List[int] = []
        if not tail:
            return ends
        key = tail[-1]
        for n, table in enumerate(self._tables, 1):
            first = table.get(key)
            if first is None:
                break
            if first >= 0:  # it occurred once: the longer forms can be read off there
                return ends + [first] * self._agreeing(tail, first, n)
            ends.append(~first)
            if n == len(tail):
                break
            key = ~first << BITS | tail[-n - 1]
        return ends

    def _agreeing(self, tail: Sequence[int], end: int, n: int) -> int:
        """How many of the n-grams, (n + 1)-grams, ... of the tail also end at `end`."""
        longest = min(len(self._tables), len(tail), end + 1)
        length = n
        while length < longest and tail[-length - 1] == self.ids[end - length]:
            length += 1
        return length - n + 1

    def truncate(self, length: int) -> None:
        """Keep the first `length` ids, as if the others had never been there."""
        for position in range(len(self.ids) - 1, length - 1, -1):
            self._forget(position)
        del self.ids[length:]
        self.ends = self._earlier(length - 1) if length else []

    def _forget(self, position: int) -> None:
        """Take out the entries of the n-grams that ended first at the last position of the text."""
        key = self.ids[position]
        for n, table in enumerate(self._tables, 1):
            entry = table.get(key)
            if entry is None:
                return
            first = entry if entry >= 0 else ~entry
            if first == position:
                del table[key]
            if n > position:
                return
            key = first << BITS | self.ids[position - n]

    def _earlier(self, position: int) -> List[int]:
        """`ends` for the n-grams that end at `position`."""
        tail = self.ids[max(0, position + 1 - len(self._tables)) : position + 1]
        found = self.find(tail)
        return found[: next((n for n, end in enumerate(found) if end >= position), len(found))]
