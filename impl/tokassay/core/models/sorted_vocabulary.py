"""A vocabulary that stays in the file: records sorted by token, found by bisection (``mtok.model.vocab``).

A record is ``[u16 length][token in UTF-8][u32 id]``. Only the places of every 32nd record are kept;
what a look-up meets that cannot be is a `FormatError` with its place in the file.
"""

from __future__ import annotations

import re
import struct
from array import array
from bisect import bisect_right
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, ValuesView

from ..errors import FormatError
from .ordering import ascends, by_number

BLOCK = 32
MOST_REMEMBERED = 1 << 16
LONGEST = 65_535
Record = Tuple[bytes, int, int]
"""Token, id, and where the record starts."""


class _Heads:
    """The first token of every block, as a sequence to bisect."""

    def __init__(self, data: bytes, places: List[int]) -> None:
        self.data, self.places = data, places

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, block: int) -> bytes:
        at = self.places[block]
        return self.data[at + 2 : at + 2 + self.data[at] + (self.data[at + 1] << 8)]


@lru_cache(maxsize=1)
def _block() -> Callable[[bytes, int], Optional[re.Match[bytes]]]:
    """Matches a whole block where all its tokens are short: their lengths are tried by frequency."""
    sizes = sorted(range(1, 40), key=lambda size: abs(size - 6))
    forms = [b"%b\\x00.{%d}" % (re.escape(bytes([size])), size + 4) for size in sizes]
    return re.compile(b"(?:%b){%d}" % (b"|".join(forms), BLOCK), re.DOTALL).match


def _blocks(data: bytes, start: int, count: int) -> Iterator[int]:
    """Where every block starts, then where the last one ends: behind the data where it does not fit."""
    at, match = start, _block()
    for _ in range(count // BLOCK):
        yield at
        found = match(data, at)
        at = found.end() if found else _behind(data, at, BLOCK)
        if at > len(data):
            break
    else:
        if count % BLOCK:
            yield at
            at = _behind(data, at, count % BLOCK)
    yield at


def _behind(data: bytes, at: int, count: int) -> int:
    """The definition: where `count` records end."""
    try:
        for _ in range(count):
            at += 6 + data[at] + (data[at + 1] << 8)
    except IndexError:
        return len(data) + 1
    return at


class SortedVocabulary(Mapping[str, int]):
    """Token → id. Made by `walk` (a file) or `of` (a mapping); equal when their bytes are."""

    def __init__(self, data: bytes, places: List[int], end: int, count: int) -> None:
        self.data, self.places, self.end, self.count = data, places, end, count
        self.heads = _Heads(data, places)
        self.known: Dict[str, Optional[int]] = {}
        self.path: Optional[str] = None  # of the file, for what is found wrong later

    @classmethod
    def walk(cls, data: bytes, start: int, count: int) -> SortedVocabulary:
        """Prove that `count` records fit into the data; FormatError where one does not."""
        if count > (len(data) - start) // 6:
            raise FormatError(f"{count} entries do not fit into the file", field="model.vocab", offset=start)
        places = list(_blocks(data, start, count))
        at = places.pop()
        if at > len(data):
            last = places[-1] if places else start
            raise FormatError("the file ends within an entry", field="model.vocab", offset=last)
        return cls(data, places, at, count)

    @classmethod
    def of(cls, vocab: Mapping[str, int]) -> SortedVocabulary:
        """The records of a mapping; FormatError for a token of more than 65,535 bytes."""
        records = []
        for token, index in sorted(vocab.items()):
            name = token.encode("utf-8")
            if len(name) > LONGEST:
                raise FormatError(
                    f"a token of {len(name)} bytes, {LONGEST} can be stored", field="model.vocab"
                )
            records.append(struct.pack(f"<H{len(name)}sI", len(name), name, index))
        return cls.walk(b"".join(records), 0, len(records))

    @property
    def stored(self) -> bytes:
        """The records as they stand in the file."""
        return self.data[self.places[0] : self.end] if self.places else b""

    def __eq__(self, other: object) -> bool:
        return self.stored == other.stored if isinstance(other, SortedVocabulary) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[str]:
        return iter(self.whole)

    def __getitem__(self, token: str) -> int:
        found = self.find(token)
        if found is None:
            raise KeyError(token)
        return found

    def values(self) -> ValuesView[int]:
        return self.whole.values()  # in the order of the tokens, and without a look-up for each

    def ids(self) -> Iterator[int]:
        """In the order of the file."""
        return (index for _, index, _ in self.records())

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and self.find(token) is not None

    def find(self, token: str) -> Optional[int]:
        """The id of a token, None when it has none; remembered."""
        try:
            return self.known[token]
        except KeyError:
            pass
        if len(self.known) >= MOST_REMEMBERED:
            self.known.clear()
        index = self.known[token] = self._search(token.encode("utf-8", "surrogatepass"))
        return index

    def _search(self, name: bytes) -> Optional[int]:
        block = bisect_right(self.heads, name) - 1
        if block < 0:
            return None
        before: Optional[bytes] = None
        for record, index, at in self.records(block * BLOCK, min(block * BLOCK + BLOCK, self.count)):
            if before is not None and record <= before:
                raise self._fault("entries are not sorted, or one comes twice", at)
            if record >= name:
                return index if record == name else None
            before = record
        return None

    def records(self, first: int = 0, last: Optional[int] = None) -> Iterator[Record]:
        """Records by position; `first` is a multiple of `BLOCK`."""
        data, at = self.data, self.places[first // BLOCK] if self.places else 0
        for _ in range(first, self.count if last is None else last):
            end = at + 2 + data[at] + (data[at + 1] << 8)
            yield data[at + 2 : end], int.from_bytes(data[end : end + 4], "little"), at
            at = end + 4

    @cached_property
    def whole(self) -> Mapping[str, int]:
        """All of it as a dict by rising ids, its content proven: sorted, unique, UTF-8, and no id twice."""
        starts, ends = self._spans()
        names = list(map(self.data.__getitem__, map(slice, starts, ends)))
        if not ascends(names):
            raise self._unsorted(names, starts)
        read = struct.Struct("<I").unpack_from
        ids = array("I", chain.from_iterable(map(read, repeat(self.data), ends)))
        try:
            # Strings made in the order in which they are used lie side by side: half the time later.
            order = by_number(ids)
            tokens = list(map(bytes.decode, map(names.__getitem__, order)))
        except UnicodeDecodeError:
            raise self._no_text(names, starts) from None
        except ValueError:
            raise self._id_twice() from None
        return dict(zip(tokens, map(ids.__getitem__, order)))

    def _spans(self) -> Tuple[List[int], List[int]]:
        """Where the tokens start and end."""
        starts, ends, data = [], [], self.data
        at = self.places[0] if self.places else 0
        for _ in repeat(None, self.count):
            starts.append(at + 2)
            at += 2 + (data[at] | data[at + 1] << 8)
            ends.append(at)
            at += 4
        return starts, ends

    def _unsorted(self, names: Sequence[bytes], starts: Sequence[int]) -> FormatError:
        at = next(i for i in range(1, len(names)) if names[i] <= names[i - 1])
        return self._fault("entries are not sorted, or one comes twice", starts[at] - 2)

    def _no_text(self, names: Sequence[bytes], starts: Sequence[int]) -> FormatError:
        for name, start in zip(names, starts):
            error = _undecodable(name)
            if error is not None:
                return self._fault(f"invalid UTF-8: {error.reason}", start + error.start)
        raise AssertionError("every entry is text")

    def _id_twice(self) -> FormatError:
        seen: Dict[int, bytes] = {}
        for record, index, at in self.records():
            if index in seen:
                return self._fault(f"id {index} belongs to {seen[index]!r} already", at)
            seen[index] = record
        raise AssertionError("every id is once")

    @cached_property
    def tokens(self) -> Mapping[int, str]:
        """Id → token."""
        return dict(zip(self.whole.values(), self.whole))

    def _fault(self, reason: str, at: int) -> FormatError:
        return FormatError(reason, field="model.vocab", path=self.path, offset=at)


def _undecodable(name: bytes) -> Optional[UnicodeDecodeError]:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError as error:
        return error
    return None
