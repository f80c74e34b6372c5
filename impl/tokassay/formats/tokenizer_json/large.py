"""Vocabularies and merges of a large file: what their parts add up to (``json.limits``)."""

from __future__ import annotations

from array import array
from itertools import chain, count, islice
from operator import eq
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple, Union

from ...core.models.bpe_merges import Gathered, MergeList, words_of
from ...core.models.entries import Entries, entries
from ...core.packed import MANY, Index, Strings, TextIndex, Texts
from .careful import load_carefully
from .parts import NotInParts, Part, find_part, in_parts, is_large, mark, remaining
from .text import Document, Reader, load

# Bytes: what tables may take beside the file, and what a token in a dict and a part of a merge take.
SPARE, A_TOKEN, A_PART = 40 << 20, 150, 80
A_BATCH = 10_000
Vocabulary = Union[Mapping[str, int], Sequence[Tuple[str, float]]]


def load_large(data: bytes) -> Document:
    """As `load`, with the model's long parts as tables; FormatError as there."""
    return in_parts(data, _document) or (load_carefully(data) if is_large(data) else load(data))


def _document(reader: Reader) -> Document:
    """Raises `WHOLE` where it is not as most files are."""
    data = reader.data
    part = find_part(data, "vocab", reader, 0, len(data))
    if part is None:
        raise NotInParts
    parts, vocab = {"vocab": part}, vocabulary(part)
    values: Dict[str, object] = {"vocab": vocab}
    more = find_part(data, "merges", reader, part.end, len(data)) or find_part(
        data, "merges", reader, 0, part.start
    )
    if more is not None and isinstance(vocab, Mapping):
        parts["merges"], values["merges"] = more, merges(more, vocab)
    document = remaining(reader, parts)
    model = document.value["model"] if isinstance(document.value, dict) else None
    if not isinstance(model, dict) or any(model[name] != mark(name) for name in values):
        raise NotInParts
    model.update(values)
    return document


def vocabulary(part: Part) -> Vocabulary:
    """Ids by token, or tokens with scores."""
    return _ids(part.chunks()) if part.kind == b"{" else _scored(part.chunks())


def _ids(chunks: Iterator[Any]) -> Mapping[str, int]:
    """A dict while it is small."""
    found: Dict[str, int] = {}
    expected = 0
    for chunk in chunks:
        if found:
            found.update(chunk)
        else:
            found = chunk
        expected += len(chunk)
        if len(found) != expected:
            raise NotInParts
        if expected > MANY:
            return _packed(found, chunks)
    return found


def _packed(first: Dict[str, int], chunks: Iterator[Any]) -> TextIndex:
    strings, ids = Strings(), array("I")
    chunk = first
    while chunk:
        encoded = map(str.encode, chunk)
        while batch := list(islice(encoded, A_BATCH)):
            strings.extend(batch)
        ids.extend(chunk.values())
        first.clear()
        chunk = next(chunks, {})
    index = Index.of(strings, last=True)
    if len(index) != len(strings):
        raise NotInParts
    return TextIndex(index, Texts(strings), None if all(map(eq, ids, count())) else ids)


def _scored(chunks: Iterator[Any]) -> Sequence[Tuple[str, float]]:
    found = Entries()
    for chunk in chunks:
        tokens, scores = zip(*chunk) if chunk else ((), ())
        kinds = set(map(type, tokens)) - {str}, set(map(type, scores)) - {int, float}
        if any(kinds) or set(map(len, chunk)) - {2}:
            raise NotInParts
        found.extend(tokens, scores)
    return entries(found)


def merges(part: Part, vocab: Mapping[str, int]) -> MergeList:
    """Strings while there is room for them, else numbers. KeyError for a number of what is no token."""
    chunks = map(_words, part.chunks())
    room = 3 * len(part.data) + SPARE - A_TOKEN * len(vocab)
    left: List[str] = []
    right: List[str] = []
    for words in chunks:
        left += words[::2]
        right += words[1::2]
        if len(left) * 2 * A_PART > room or isinstance(vocab, TextIndex):
            before = list(chain.from_iterable(zip(left, right)))
            return _numbered(chain([before], chunks), vocab)
    return MergeList(tuple(left), tuple(right))


def _numbered(chunks: Iterable[Sequence[str]], vocab: Mapping[str, int]) -> MergeList:
    found = Gathered(vocab)
    for words in chunks:
        found.extend(words[::2], words[1::2])
    return found.merges()


def _words(chunk: List[Any]) -> Sequence[str]:
    """Left and right parts in turns."""
    kinds = set(map(type, chunk))
    if kinds == {str}:
        words = words_of(chunk)
        if words is None:
            raise NotInParts
        return words
    if kinds - {list} or set(map(len, chunk)) - {2}:
        raise NotInParts
    return list(chain.from_iterable(chunk))
