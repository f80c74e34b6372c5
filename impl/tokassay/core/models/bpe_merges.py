"""The list of merges as a value: read from a file, checked against the vocabulary, in C throughout.

A file may hold half a million merges, and reading it must not take longer than the oracle takes.
So parts are two tuples of strings instead of a tuple of pairs, and types are checked by the
look-up in the vocabulary that HF demands anyway: whatever is not a token is reported afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, compress, count, repeat
from operator import add, ne, sub
from typing import AbstractSet, Iterable, Iterator, List, Mapping, Sequence, Tuple

from ..errors import FormatError
from ..fields import Fields

Pair = Tuple[str, str]
Ids = Tuple[Sequence[int], Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class MergeList:
    """Left and right parts in rank order. Iterates as pairs."""

    left: Tuple[str, ...] = ()
    right: Tuple[str, ...] = ()

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

    def _made(self, prefix: str) -> Iterable[str]:
        if prefix:
            return map(_joined, self.left, self.right, repeat(prefix))
        return map(add, self.left, self.right)

    def ids(self, vocab: Mapping[str, int], prefix: str) -> Ids:
        """Ids of left part, right part and result of every merge, which `check` has found to be tokens."""
        find = vocab.__getitem__
        return tuple(map(find, self.left)), tuple(map(find, self.right)), tuple(map(find, self._made(prefix)))

    def check(self, vocab: Mapping[str, int], prefix: str) -> None:
        """FormatError unless the parts and the result of every merge are tokens.

        There are far fewer different parts than merges, and merges that make one token mostly stand
        together, in the order of the vocabulary: all cheaper than looking every string up.
        """
        try:
            made = list(self._made(prefix))
            new = list(compress(made, map(ne, made, chain((None,), made))))
            known = not (set(self.left).difference(vocab) or set(self.right).difference(vocab))
            if known and (_is_run_of(new, vocab) or all(map(vocab.__contains__, new))):
                return
        except (TypeError, AttributeError):  # parts that are not strings: named below
            pass
        raise self._fault(vocab, prefix)

    def among(self, names: AbstractSet[str]) -> Iterator[Tuple[int, str, str]]:
        """Rank, left and right of the merges whose parts both are among `names`."""
        for rank in compress(count(), map(names.__contains__, self.left)):
            if self.right[rank] in names:
                yield rank, self.left[rank], self.right[rank]

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


def _is_run_of(strings: Sequence[str], vocab: Mapping[str, int]) -> bool:
    tokens = list(vocab)
    if not strings or strings[0] not in vocab:
        return not strings
    start = tokens.index(strings[0])
    return tokens[start : start + len(strings)] == strings


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
    text = " ".join(lines)
    if "#version" in text:  # also inside a token, hence the closer look
        lines = [line for line in lines if not line.startswith("#version")]
        text = " ".join(lines)
    words = text.split(" ") if lines else []
    left, right = tuple(words[::2]), tuple(words[1::2])
    # One space per line, said by lengths: while they agree the words have not slipped against the lines.
    if _halves(lines, left, right):
        return MergeList(left, right)
    wrong = next(line for line in lines if line.count(" ") != 1)
    raise fields.error("merges", f"expected two tokens and one space, got {wrong[:60]!r}")


def _halves(lines: Sequence[str], left: Sequence[str], right: Sequence[str]) -> bool:
    if len(left) != len(lines) or len(right) != len(lines):
        return False
    spaces: List[int] = list(map(sub, map(sub, map(len, lines), map(len, left)), map(len, right)))
    return set(spaces) <= {1}
