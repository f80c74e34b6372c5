"""Vectors that stay in their file until they are asked: a run over many of them does not hold them.

A file with more than `KEPT` rows is read once to check it and to note where its rows begin; a row is parsed
again whenever somebody comes to it. Smaller files are kept, for they are asked by many tokenizers.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import (
    Callable,
    DefaultDict,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
    overload,
)

from tokassay.core.errors import FormatError

from .judging import narrowed
from .vector import Vector, parse_line, parse_row, vector_files

KEPT = 10_000
LENGTH_BITS, FILE_BITS = 32, 16
# A vector, or where its row is: offset, length and number of the file in one integer, the least to keep.
Item = Union[Vector, int]
Test = Callable[[Vector], bool]


@dataclass(frozen=True)
class Files:
    """Open files by number. They are read at a place, so that forked processes can share them."""

    paths: Tuple[Path, ...]
    descriptors: Dict[int, int] = field(default_factory=dict, repr=False)

    def vector(self, item: Item, tokenizer: Optional[str]) -> Vector:
        """The vector behind an item, narrowed to one tokenizer where one is named."""
        whole = self._read(item) if isinstance(item, int) else item
        return whole if tokenizer is None else narrowed(whole, tokenizer)

    def _read(self, place: int) -> Vector:
        number = place & ((1 << FILE_BITS) - 1)
        length = (place >> FILE_BITS) & ((1 << LENGTH_BITS) - 1)
        if number not in self.descriptors:
            self.descriptors[number] = os.open(str(self.paths[number]), os.O_RDONLY)
        return parse_row(
            json.loads(os.pread(self.descriptors[number], length, place >> (FILE_BITS + LENGTH_BITS))), ""
        )


@dataclass(frozen=True)
class StoredVectors(Sequence[Vector]):
    """Vectors of one tokenizer (of all without a name), in the order of their files.

    Attributes:
        suites: suite → the items that it applies to.
        digests: what the answers are about → how many, and the id of the first.
    """

    files: Files
    items: Sequence[Item]
    tokenizer: Optional[str] = None
    suites: Mapping[str, Sequence[Item]] = field(default_factory=dict, repr=False)
    digests: Mapping[str, Tuple[int, str]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Vector]:
        return (self.files.vector(item, self.tokenizer) for item in self.items)

    @overload
    def __getitem__(self, index: int) -> Vector: ...
    @overload
    def __getitem__(self, index: slice) -> List[Vector]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Vector, List[Vector]]:
        if isinstance(index, slice):
            return [self.files.vector(item, self.tokenizer) for item in self.items[index]]
        return self.files.vector(self.items[index], self.tokenizer)

    def of_suite(self, name: str) -> StoredVectors:
        """Those that a suite applies to."""
        return StoredVectors(self.files, self.suites.get(name, ()), self.tokenizer)


def of_suite(vectors: Sequence[Vector], name: str, applies: Test) -> Sequence[Vector]:
    """The vectors that a suite applies to, without holding what is not held."""
    if isinstance(vectors, StoredVectors):
        return vectors.of_suite(name)
    return [vector for vector in vectors if applies(vector)]


@dataclass
class Collected:
    """What is noted of one tokenizer while the files are read. Mutable on purpose."""

    items: List[Item] = field(default_factory=list)
    suites: DefaultDict[str, List[Item]] = field(default_factory=lambda: defaultdict(list))
    digests: Dict[str, Tuple[int, str]] = field(default_factory=dict)

    def add(self, vector: Vector, item: Item, tokenizer: str, tests: Mapping[str, Test]) -> None:
        """Note a vector that holds an answer for the tokenizer."""
        self.items.append(item)
        about = str(vector.expect[tokenizer].get("sha256", ""))
        count, first = self.digests.get(about, (0, vector.id))
        self.digests[about] = (count + 1, first)
        one = narrowed(vector, tokenizer)
        for name, applies in tests.items():
            if applies(one):
                self.suites[name].append(item)


@dataclass(frozen=True)
class Catalogue:
    """All vectors of some files, and those of each tokenizer."""

    every: StoredVectors
    tokenizers: Mapping[str, StoredVectors]

    def of(self, tokenizer: str) -> StoredVectors:
        """The vectors that hold an answer for a tokenizer, narrowed to it."""
        return self.tokenizers.get(tokenizer, StoredVectors(self.every.files, ()))


def catalogue(path: Path, tests: Mapping[str, Test], wanted: Test) -> Catalogue:
    """The vectors of a file, or of the files below a folder, that are wanted.

    `tests`: suite → whether it applies to a vector of one tokenizer. FormatError with file and line.
    """
    files = Files(vector_files(path) if path.is_dir() else (path,))
    every: List[Item] = []
    found: DefaultDict[str, Collected] = defaultdict(Collected)
    for number, file in enumerate(files.paths):
        for vector, item in _read(file, number):
            if wanted(vector):
                every.append(item)
                for tokenizer in vector.expect:
                    found[tokenizer].add(vector, item, tokenizer, tests)
    stored = {
        name: StoredVectors(files, one.items, name, one.suites, one.digests) for name, one in found.items()
    }
    return Catalogue(StoredVectors(files, every), stored)


def _read(file: Path, number: int) -> Iterator[Tuple[Vector, Item]]:
    """Each vector of a file with its item: itself, or its place where the file has many."""
    try:
        with open(file, "rb") as lines:  # noqa: PTH123 - read line by line
            kept = sum(1 for _ in lines) <= KEPT
            lines.seek(0)
            offset = 0
            for count, line in enumerate(lines, 1):
                if line.strip(b"\n"):
                    vector = parse_row(parse_line(line, count, file), f"line {count}")
                    place = (((offset << LENGTH_BITS) | len(line)) << FILE_BITS) | number
                    yield vector, vector if kept else place
                offset += len(line)
    except FormatError as error:
        raise error.at(str(file)) from error
