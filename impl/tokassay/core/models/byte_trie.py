"""Byte-trie greedy: the longest string, bytes without one skipped (``tokenizer-txt.loader.byte-trie``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Iterator, List, Tuple

from ..token import Token
from .byte_matching import ByteIndex
from .byte_strings import ByteStrings, tokens_of
from .tabled import Tabled


@dataclass(frozen=True)
class ByteTrie(Tabled):
    """What the measured loader does with tiktoken's strings: no ranks, no merges, no pieces."""

    TYPE: ClassVar[str] = "byte-trie greedy"
    CLAUSE: ClassVar[str] = "tokenizer-txt.loader.byte-trie"
    table: ByteStrings

    def build(self) -> TrieSegmenter:
        return self._segmenter

    @cached_property
    def _segmenter(self) -> TrieSegmenter:
        return TrieSegmenter(self.table, ByteIndex(self.table.ids))


@dataclass(frozen=True)
class TrieSegmenter:
    """Greedy from the left."""

    table: ByteStrings
    index: ByteIndex

    def ids(self, piece: str) -> List[int]:
        return [index for index, _, _ in self._spans(piece.encode("utf-8"))]

    def tokenize(self, piece: str) -> List[Token]:
        return tokens_of(self.table, piece, tuple(self._spans(piece.encode("utf-8"))))

    def _spans(self, data: bytes) -> Iterator[Tuple[int, int, int]]:
        find, at = self.index.finder(len(data)), 0
        while at < len(data):
            found = find(data, at, len(data))
            if found is not None:
                string = data[at : at + found.length]
                yield self.table.ids[string], at, at + found.length
            at += 1 if found is None else found.length
