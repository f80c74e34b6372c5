"""Tables of a million strings: their bytes in one block instead of an object for each.

A file of tiny tokens is a tenth of what their Python objects take. Up to `MANY` strings the objects
are kept nevertheless: they are faster, and have room in what loading may take beside the file.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from itertools import accumulate, compress, islice, repeat
from operator import eq
from typing import (
    Any,
    Dict,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    ValuesView,
    overload,
)

MANY = 300_000
ROOM = 8 << 20
"""Bytes of strings that may become objects."""
T = TypeVar("T")


class Column(Sequence[T]):
    """What sequences of made values share: equality by value, slices, no hash."""

    @abstractmethod
    def _at(self, place: int) -> T:
        """The item at a place that exists."""

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: Union[int, slice]) -> Union[T, Sequence[T]]:
        if isinstance(place, slice):
            return [self._at(at) for at in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._at(place % len(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]


class Strings(Column[bytes]):
    """Byte strings, one behind the other in `data`; string i goes from `ends[i]` to `ends[i + 1]`."""

    def __init__(self, strings: Iterable[bytes] = ()) -> None:
        self.data, self.ends = bytearray(), array("I", [0])
        for string in strings:
            self.append(string)

    def append(self, string: bytes) -> None:
        self.data += string
        self.ends.append(len(self.data))

    def extend(self, strings: Sequence[bytes]) -> None:
        """As many `append`s, in C."""
        sizes = accumulate(map(len, strings), initial=len(self.data))
        self.ends.extend(islice(sizes, 1, None))
        self.data += b"".join(strings)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def _at(self, place: int) -> bytes:
        return bytes(self.data[self.ends[place] : self.ends[place + 1]])

    def __iter__(self) -> Iterator[bytes]:
        spans = map(slice, self.ends, islice(self.ends, 1, None))
        return map(bytes, map(self.data.__getitem__, spans))


class Texts(Column[str]):
    """The same as text. `errors`: what becomes of bytes that are not UTF-8."""

    def __init__(self, strings: Strings, errors: str = "surrogatepass") -> None:
        self.strings, self.errors = strings, errors

    def __len__(self) -> int:
        return len(self.strings)

    def _at(self, place: int) -> str:
        return self.strings._at(place).decode("utf-8", self.errors)  # noqa: SLF001 - the place is known

    def __iter__(self) -> Iterator[str]:
        return map(str, self.strings, repeat("utf-8"), repeat(self.errors))


class Picked(Column[T]):
    """The items of another sequence at some places, in that order."""

    def __init__(self, items: Sequence[T], places: Sequence[int]) -> None:
        self.items, self.places = items, places

    def __len__(self) -> int:
        return len(self.places)

    def _at(self, place: int) -> T:
        return self.items[self.places[place]]

    def __iter__(self) -> Iterator[T]:
        return map(self.items.__getitem__, self.places)


class Index(Mapping[bytes, int]):
    """String → its place: a table of slots, each the place of a string and one, 0 where it is free.

    `last`: of equal strings the last one counts, else the first.
    """

    def __init__(self, strings: Strings, chosen: Iterable[int] = (), *, last: bool = False) -> None:
        self.strings, self.last, self.count = strings, last, 0
        self.slots, self.mask = array("I", bytes(4096)), 1023
        for place in chosen:
            self.put(place)

    @classmethod
    def of(cls, strings: Strings, *, last: bool) -> Index:
        """All of them."""
        found = cls(strings, last=last)
        for place, string in enumerate(strings):
            found.enter(string, place)
        return found

    def add(self, string: bytes) -> Optional[int]:
        """A string behind the others; the place of an equal one before it."""
        self.strings.append(string)
        return self.enter(string, len(self.strings) - 1)

    def put(self, place: int) -> Optional[int]:
        """The place of an equal string that was there before."""
        return self.enter(self.strings[place], place)

    def enter(self, string: bytes, place: int) -> Optional[int]:
        """`put` for a string that is at hand."""
        slots, mask, data, ends = self.slots, self.mask, self.strings.data, self.strings.ends
        at = hash(string) & mask
        while slots[at]:
            other = slots[at]
            if data[ends[other - 1] : ends[other]] == string:
                if self.last:
                    slots[at] = place + 1
                return other - 1
            at = (at + 1) & mask
        slots[at] = place + 1
        self.count += 1
        if self.count * 3 > mask * 2:
            self._grow()
        return None

    def _grow(self) -> None:
        old, mask = self.slots, self.mask * 2 + 1
        data, ends, slots = self.strings.data, self.strings.ends, array("I", bytes(4 * (mask + 1)))
        for place in compress(old, old):
            at = hash(bytes(data[ends[place - 1] : ends[place]])) & mask
            while slots[at]:
                at = (at + 1) & mask
            slots[at] = place
        self.slots, self.mask = slots, mask

    def find(self, string: bytes) -> Optional[int]:
        slots, mask, data, ends = self.slots, self.mask, self.strings.data, self.strings.ends
        at = hash(string) & mask
        while slots[at]:
            place = slots[at]
            if data[ends[place - 1] : ends[place]] == string:
                return place - 1
            at = (at + 1) & mask
        return None

    def __getitem__(self, string: bytes) -> int:
        found = self.find(string)
        if found is None:
            raise KeyError(string)
        return found

    def __contains__(self, string: object) -> bool:
        return isinstance(string, bytes) and self.find(string) is not None

    def __len__(self) -> int:
        return self.count

    def places(self) -> Sequence[int]:
        """Those that count, ascending."""
        if self.count == len(self.strings):
            return range(self.count)
        counts = bytearray(len(self.strings))
        for place in compress(self.slots, self.slots):
            counts[place - 1] = 1
        return array("I", compress(range(len(counts)), counts))

    def __iter__(self) -> Iterator[bytes]:
        return map(self.strings.__getitem__, self.places())


class TextIndex(Mapping[str, int]):
    """Token → id. `ids`: the id of each place; None where ids are places."""

    def __init__(self, index: Index, texts: Texts, ids: Optional[Sequence[int]] = None) -> None:
        self.index, self.texts = index, texts
        self.ids: Sequence[int] = range(len(texts)) if ids is None else ids

    @property
    def numbered(self) -> TextIndex:
        """Token → place."""
        return TextIndex(self.index, self.texts)

    @property
    def by_place(self) -> bool:
        """Whether every place is a token whose id it is."""
        return isinstance(self.ids, range) and len(self.index) == len(self.texts)

    def __getitem__(self, token: str) -> int:
        found = self.get(token)
        if found is None:
            raise KeyError(token)
        return int(found)

    def __contains__(self, token: object) -> bool:
        return isinstance(token, str) and self.get(token) is not None

    def get(self, token: str, default: Any = None) -> Any:
        found = self.index.find(token.encode("utf-8", self.texts.errors))
        return default if found is None else self.ids[found]

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[str]:
        return map(self.texts.__getitem__, self.index.places()) if self._has_losers else iter(self.texts)

    @property
    def _has_losers(self) -> bool:
        return len(self.index) != len(self.texts)

    def values(self) -> ValuesView[int]:
        return _Ids(self)

    def items(self) -> ItemsView[str, int]:
        return _Entries(self)


class _Ids(ValuesView[int]):
    _mapping: TextIndex

    def __iter__(self) -> Iterator[int]:
        return map(self._mapping.ids.__getitem__, self._mapping.index.places())


class _Entries(ItemsView[str, int]):
    _mapping: TextIndex

    def __iter__(self) -> Iterator[Tuple[str, int]]:
        return zip(self._mapping, self._mapping.values())


def tokens(strings: Strings) -> Sequence[str]:
    """The texts of valid UTF-8: objects where there is room for them."""
    texts = Texts(strings)
    return texts if _is_large(strings) else tuple(texts)


def kept(strings: Strings) -> Sequence[bytes]:
    """Objects where there is room for them."""
    return strings if _is_large(strings) else tuple(strings)


def _is_large(strings: Strings) -> bool:
    return len(strings) > MANY or len(strings.data) > ROOM


def places(texts: Sequence[str], chosen: Optional[Sequence[int]] = None, *, last: bool) -> Mapping[str, int]:
    """Token → place; of equal tokens the last one counts, or the first.

    `chosen`: the places that count at all, ascending.
    """
    if isinstance(texts, Texts):
        every = Index.of(texts.strings, last=last) if chosen is None else None
        return TextIndex(every or Index(texts.strings, chosen or (), last=last), texts)
    found: Dict[str, int] = {}
    for place in range(len(texts)) if chosen is None else chosen:
        if last:
            found[texts[place]] = place
        else:
            found.setdefault(texts[place], place)
    return found
