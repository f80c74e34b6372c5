"""Token → id mappings as they stand in a file: reading, reversing, writing, oddities."""

from __future__ import annotations

import heapq
import reprlib
from array import array
from bisect import bisect_right
from itertools import count, groupby
from operator import eq
from typing import Any, Collection, Dict, Iterable, Iterator, List, Mapping, Sequence, Set, Tuple, Union

from ..description import Warning as Oddity
from ..fields import Fields
from ..packed import TextIndex
from .sorted_vocabulary import SortedVocabulary

LARGEST_ID = 2**32 - 1
Tokens = Union[Sequence[str], Mapping[int, str]]


def read_vocab(fields: Fields, name: str = "vocab") -> Mapping[str, int]:
    """An object of ids in 0..2**32-1 (HF's u32); FormatError names the first entry that is not."""
    vocab = fields.raw(name)
    if isinstance(vocab, TextIndex):  # its ids have four bytes
        return vocab
    if not isinstance(vocab, dict):
        raise fields.error(name, "expected an object of token: id")
    # Three passes in C instead of one in Python: vocabularies have up to a million entries.
    numbers = vocab.values()
    if vocab and (set(map(type, numbers)) != {int} or min(numbers) < 0 or max(numbers) > LARGEST_ID):
        wrong = next(token for token, index in vocab.items() if not _is_id(index))
        raise fields.error(
            f"{name}[{wrong!r}]", f"expected an id in 0..{LARGEST_ID}, got {reprlib.repr(vocab[wrong])}"
        )
    return vocab


def _is_id(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_ID


def reverse(vocab: Mapping[str, int]) -> Mapping[int, str]:
    """Id → token; of several tokens with one id the last one (clause ``model.vocab.duplicates``)."""
    return ById(vocab) if isinstance(vocab, TextIndex) else dict(zip(vocab.values(), vocab))


class ById(Mapping[int, str]):
    """The same for a table: places in the order of their ids."""

    def __init__(self, vocab: TextIndex) -> None:
        self.texts, ids = vocab.texts, vocab.ids
        self.places = array("I", sorted(vocab.index.places(), key=ids.__getitem__))
        self.ids = array("I", map(ids.__getitem__, self.places))

    def __getitem__(self, index: int) -> str:
        after = bisect_right(self.ids, index)
        if not after or self.ids[after - 1] != index:
            raise KeyError(index)
        return self.texts[self.places[after - 1]]

    def __iter__(self) -> Iterator[int]:
        return (index for index, _ in groupby(self.ids))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def are_places(vocab: Mapping[str, int]) -> bool:
    """Ids are 0, 1, 2 ... in the order of the file, as in most."""
    if isinstance(vocab, TextIndex):
        return vocab.by_place
    if isinstance(vocab, SortedVocabulary):
        return False
    return all(map(eq, vocab.values(), count()))


def by_id(vocab: Mapping[str, int]) -> Tokens:
    """`reverse`; the tokens in order where ids are places, which takes a tenth of the time."""
    return in_order(vocab) if are_places(vocab) else reverse(vocab)


def in_order(vocab: Mapping[str, int]) -> Sequence[str]:
    """The tokens in the order of the file."""
    return vocab.texts if isinstance(vocab, TextIndex) else tuple(vocab)


def numbered(vocab: Mapping[str, int]) -> Mapping[str, int]:
    """Token → its place in the order of the file."""
    if isinstance(vocab, TextIndex):
        return vocab.numbered
    return vocab if are_places(vocab) else dict(zip(vocab, count()))


def in_id_order(vocab: Mapping[str, int]) -> Dict[str, int]:
    """The same mapping sorted by id, as HF writes it."""
    return dict(sorted(vocab.items(), key=lambda entry: entry[1]))


def oddities(vocab: Mapping[str, int], where: str) -> List[Oddity]:
    """What HF accepts in silence: several tokens with one id, and holes (``model.vocab.duplicates``)."""
    if are_places(vocab):
        return []
    top = max(_ids(vocab), default=-1)
    different, shared = _counted(vocab, top)
    found = []
    if different != len(vocab):
        shown = ", ".join(map(str, heapq.nsmallest(5, shared)))
        found.append(
            Oddity(where, f"{len(shared)} ids name several tokens ({shown}); the last one is decoded")
        )
    if different != top + 1:
        found.append(Oddity(where, f"ids have {top + 1 - different} holes below {top}"))
    return found


def _ids(vocab: Mapping[str, int]) -> Iterable[int]:
    """The ids in any order, without reading the tokens of a table that has not been read."""
    return vocab.ids() if isinstance(vocab, SortedVocabulary) else vocab.values()


def _counted(vocab: Mapping[str, int], top: int) -> Tuple[int, Collection[int]]:
    """How many ids there are, and those of several tokens.

    A byte for each where they lie close, for a set of a million is large.
    """
    shared: Set[int] = set()
    seen: Any = bytearray(top + 1) if top < 16 * len(vocab) else dict.fromkeys(_ids(vocab), 0)
    for index in _ids(vocab):
        if seen[index]:
            shared.add(index)
        seen[index] = 1
    return sum(seen) if isinstance(seen, bytearray) else len(seen), shared
