"""Token → id mappings as they stand in a file: reading, reversing, writing, oddities."""

from __future__ import annotations

from itertools import count, repeat
from operator import eq
from typing import Dict, Iterable, List, Mapping, Sequence, Union

from ..description import Warning as Oddity
from ..fields import Fields
from ..packed import TextIndex
from .sorted_vocabulary import SortedVocabulary

LARGEST_ID = 2**32 - 1
Tokens = Union[Sequence[str], Dict[int, str]]


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
        raise fields.error(f"{name}[{wrong!r}]", f"expected an id in 0..{LARGEST_ID}, got {vocab[wrong]!r}")
    return vocab


def _is_id(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_ID


def reverse(vocab: Mapping[str, int]) -> Dict[int, str]:
    """Id → token; of several tokens with one id the last one (clause ``model.vocab.duplicates``)."""
    return dict(zip(vocab.values(), vocab))


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
    different = _different(vocab, top)
    found = []
    if different != len(vocab):
        shared = sorted(index for index, count in _counts(vocab).items() if count > 1)
        shown = ", ".join(map(str, shared[:5]))
        found.append(
            Oddity(where, f"{len(shared)} ids name several tokens ({shown}); the last one is decoded")
        )
    if different != top + 1:
        found.append(Oddity(where, f"ids have {top + 1 - different} holes below {top}"))
    return found


def _ids(vocab: Mapping[str, int]) -> Iterable[int]:
    """The ids in any order, without reading the tokens of a table that has not been read."""
    return vocab.ids() if isinstance(vocab, SortedVocabulary) else vocab.values()


def _different(vocab: Mapping[str, int], top: int) -> int:
    """How many ids there are: a byte for each where they lie close, for a set of a million is large."""
    if top >= 16 * len(vocab):
        return len(set(_ids(vocab)))
    seen = bytearray(top + 1)
    for index in _ids(vocab):
        seen[index] = 1
    return sum(seen)


def _counts(vocab: Mapping[str, int]) -> Dict[int, int]:
    counts = dict(zip(vocab.values(), repeat(0)))
    for index in vocab.values():
        counts[index] += 1
    return counts
