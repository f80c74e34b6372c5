"""The list of merges as a value: read from a file, checked against the vocabulary, in C throughout.

A file may hold half a million merges, and reading it must not take longer than the oracle takes.
So parts are two tuples of strings instead of a tuple of pairs, and types are checked by the
look-up in the vocabulary that HF demands anyway: whatever is not a token is reported afterwards.
There are far fewer different parts than merges, so a set of them is looked up, not each.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import chain, count, islice, repeat
from operator import add, contains, eq
from typing import Iterable, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from ..errors import FormatError
from ..fields import Fields
from ..packed import Picked, TextIndex
from .vocabulary import in_order, numbered

Pair = Tuple[str, str]


@dataclass(frozen=True)
class MergeList:
    """Left and right parts in rank order. Iterates as pairs."""

    left: Sequence[str] = ()
    right: Sequence[str] = ()
    # The vocabulary in which both were looked up already.
    within: Optional[Mapping[str, int]] = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> MergeList:
        """From pairs in rank order."""
        flat = tuple(chain.from_iterable(pairs))  # a zip of half a million arguments would take a second
        return cls(flat[::2], flat[1::2])

    def __len__(self) -> int:
        return len(self.left)

    def __iter__(self) -> Iterator[Pair]:
        return zip(self.left, self.right)

    def __getitem__(self, rank: int) -> Pair:
        return self.left[rank], self.right[rank]

    def made(self, vocab: Mapping[str, int], prefix: str) -> Sequence[int]:
        """The id that each merge makes; FormatError unless its parts and what it makes are tokens."""
        try:
            if self.within is vocab or self._parts() <= vocab.keys():
                if self._follow(vocab, prefix):
                    first = vocab[next(self._strings(prefix))]
                    return range(first, first + len(self))
                return self._looked_up(vocab, prefix)
        except (KeyError, TypeError, AttributeError):  # the fault is sought below
            pass
        raise self._fault(vocab, prefix)

    def _parts(self) -> Set[str]:
        found = set(self.left)
        found.update(self.right)
        return found

    def _looked_up(self, vocab: Mapping[str, int], prefix: str) -> Sequence[int]:
        ids = map(vocab.__getitem__, self._strings(prefix))
        return array("I", ids) if isinstance(vocab, TextIndex) else tuple(ids)  # a table makes them anew

    def _strings(self, prefix: str) -> Iterator[str]:
        if prefix:
            return map(_joined, self.left, self.right, repeat(prefix))
        return map(add, self.left, self.right)

    def _follow(self, vocab: Mapping[str, int], prefix: str) -> bool:
        """What they make stands one after the other in the vocabulary, ids too: no look-ups then."""
        start = next(map(vocab.__getitem__, self._strings(prefix)), len(vocab))  # mostly ids are places
        first = next(islice(vocab.values(), start, None), None)
        if first is None or start + len(self) > len(vocab):
            return False
        ids = islice(vocab.values(), start, start + len(self))
        return all(map(eq, ids, count(first))) and all(
            map(eq, self._strings(prefix), islice(vocab, start, None))
        )

    def _fault(self, vocab: Mapping[str, int], prefix: str) -> FormatError:
        for i, parts in enumerate(self):
            for part in parts:
                if type(part) is not str:
                    return FormatError(f"expected a string, got {part!r}"[:80], field=f"merges[{i}]")
                if part not in vocab:
                    return FormatError(f"token {part!r} is not in the vocabulary", field=f"merges[{i}]")
            made = _joined(*parts, prefix)
            if made not in vocab:
                return FormatError(f"it makes {made!r}, which is not in the vocabulary", field=f"merges[{i}]")
        raise AssertionError("every merge is sound")


class Gathered:
    """Merges one after the other, each part looked up at once: four bytes instead of a string."""

    def __init__(self, vocab: Mapping[str, int]) -> None:
        self.vocab, self.find = vocab, numbered(vocab).__getitem__
        self.left, self.right = array("I"), array("I")

    def add(self, left: str, right: str) -> None:
        """KeyError for what is no token."""
        self.left.append(self.find(left))
        self.right.append(self.find(right))

    def add_named(self, left: str, right: str, field: str, offset: Optional[int] = None) -> None:
        """FormatError for what is no token."""
        try:
            self.add(left, right)
        except KeyError as error:
            reason = f"token {error.args[0]!r} is not in the vocabulary"
            raise FormatError(reason, field=field, offset=offset) from error

    def extend(self, left: Iterable[str], right: Iterable[str]) -> None:
        """As many `add`s, in C."""
        self.left.extend(map(self.find, left))
        self.right.extend(map(self.find, right))

    def merges(self) -> MergeList:
        names = in_order(self.vocab)
        return MergeList(Picked(names, self.left), Picked(names, self.right), self.vocab)


def _joined(left: str, right: str, prefix: str) -> str:
    """What a merge makes: the right part without as many bytes as the prefix has, whatever they are."""
    if right.startswith(prefix):
        return left + right[len(prefix) :]
    tail, cut = right.encode(), len(prefix.encode())
    if len(tail) < cut:
        raise FormatError(f"token {right!r} is shorter than the continuation prefix", field="merges")
    try:
        return left + tail[cut:].decode()
    except UnicodeDecodeError:
        raise FormatError(
            f"without the prefix's length {right!r} begins inside a character", field="merges"
        ) from None


def read_merges(fields: Fields) -> MergeList:
    """Pairs, or the older lines "left right" (clause ``model.bpe.legacy-merges``)."""
    found = fields.raw("merges")
    if isinstance(found, MergeList):
        return found
    merges = fields.sequence("merges")
    kinds = set(map(type, merges))
    if not merges:
        return MergeList()
    if kinds == {str}:
        return _read_lines(fields, merges)  # type: ignore[arg-type]
    if kinds == {list} and set(map(len, merges)) == {2}:  # type: ignore[arg-type]
        return MergeList.of(merges)  # type: ignore[arg-type]
    raise fields.error("merges", 'expected pairs of strings, or strings "left right"')


def _read_lines(fields: Fields, lines: Sequence[str]) -> MergeList:
    words = words_of(lines)
    if words is not None:
        return MergeList(tuple(words[::2]), tuple(words[1::2]))
    wrong = next(line for line in lines if line.count(" ") != 1 and not line.startswith("#version"))
    raise fields.error("merges", f"expected two tokens and one space, got {wrong[:60]!r}")


def words_of(lines: Sequence[str]) -> Optional[List[str]]:
    """Left and right parts in turns; None unless every line has two."""
    text = " ".join(lines)
    if "#version" in text:  # also inside a token, hence the closer look
        lines = [line for line in lines if not line.startswith("#version")]
        text = " ".join(lines)
    words = text.split(" ") if lines else []
    # As many spaces as lines, and one in each line at least: so one in each.
    return words if len(words) == 2 * len(lines) and all(map(contains, lines, repeat(" "))) else None
