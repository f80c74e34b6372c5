"""The longest entry that stands at a place of a text: by scanning all of them, and by an index.

The scan is the definition. Why a longest length cannot prune it, and what can: docs/greedy-matching.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple

# From this many bytes on, a table of lengths by first bytes is worth its making.
LONG_TEXT = 1024
# The marker of a space is two bytes: two more tell the words behind it apart.
START = 4
SHORTER = tuple(range(START - 1, 0, -1))
MOST_ASKED = 1 << 17


class Match(NamedTuple):
    """An entry found: its id and how many bytes it covers."""

    id: int
    length: int


Find = Callable[[bytes, int, int], Optional[Match]]
"""(data, start, end) → the longest entry at `start` that ends at or before `end`, or None."""


def scanning(strings: Sequence[bytes]) -> Find:
    """Every entry is compared, in the order of the ids; only a longer one replaces what was found."""

    def find(data: bytes, start: int, end: int) -> Optional[Match]:
        found, longest = None, 0
        for index, entry in enumerate(strings):
            if len(entry) > longest and data.startswith(entry, start, end):
                found, longest = index, len(entry)
        return None if found is None else Match(found, longest)

    return find


@dataclass(frozen=True)
class ByteIndex:
    """Which lengths are worth a look-up. Equal to the scan, id by id.

    Attributes:
        ids: entry → smallest id, without empty entries.
    """

    ids: Mapping[bytes, int]

    @classmethod
    def of(cls, strings: Sequence[bytes]) -> ByteIndex:
        """Of equal entries the smallest id: it is put in last."""
        found = dict(zip(reversed(strings), range(len(strings) - 1, -1, -1)))
        found.pop(b"", None)
        return cls(found)

    @cached_property
    def lengths(self) -> Tuple[int, ...]:
        """All lengths that occur, the longest first."""
        return tuple(sorted(set(map(len, self.ids)), reverse=True))

    @cached_property
    def by_start(self) -> Dict[bytes, int]:
        """First `START` bytes → the lengths of the entries that begin so, as bits of a number."""
        found: Dict[bytes, int] = {}
        get = found.get
        for start, length in zip(map(itemgetter(slice(START)), self.ids), map(len, self.ids)):
            found[start] = get(start, 0) | 1 << length
        return found

    @cached_property
    def _asked(self) -> Dict[bytes, Tuple[int, ...]]:
        """First `START` bytes → what is worth a look-up, as far as somebody asked."""
        return {}

    def _lengths_of(self, start: bytes) -> Tuple[int, ...]:
        """The lengths of the entries that begin so, the longest first; then shorter ones."""
        bits = self.by_start.get(start, 0) if len(start) == START else 0
        lengths = tuple(
            length for length in range(bits.bit_length() - 1, START - 1, -1) if bits >> length & 1
        )
        if len(self._asked) < MOST_ASKED:
            self._asked[start] = (*lengths, *SHORTER)
        return (*lengths, *SHORTER)

    def finder(self, size: int) -> Find:
        """The function to use for a text of `size` bytes."""
        return self.find_by_start if size >= LONG_TEXT else self.find

    def find(self, data: bytes, start: int, end: int) -> Optional[Match]:
        return self._first(self.lengths, data, start, end)

    def find_by_start(self, data: bytes, start: int, end: int) -> Optional[Match]:
        head = data[start : start + START]
        return self._first(self._asked.get(head) or self._lengths_of(head), data, start, end)

    def _first(self, lengths: Sequence[int], data: bytes, start: int, end: int) -> Optional[Match]:
        room, get = end - start, self.ids.get
        for length in lengths:
            if length <= room:
                index = get(data[start : start + length])
                if index is not None:
                    return Match(index, length)
        return None
