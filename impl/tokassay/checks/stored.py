"""Vectors that lie in a file until they are asked: a run over many of them does not hold them.

The rows of a file with more than `KEPT` are checked once and put into a temporary file in a form that is
read several times faster than JSON. Smaller files are held, for many tokenizers ask for them.
"""

from __future__ import annotations

import marshal
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import (
    IO,
    Callable,
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
from .vector import Source, Vector, parse_line, parse_row, vector_files

KEPT = 10_000
LENGTH_BITS = 32
# A vector, or where it is in the temporary file: offset and length in one integer, the least to keep.
Item = Union[Vector, int]
Test = Callable[[Vector], bool]
Complete = Callable[[Vector], Optional[Vector]]
"""A vector with what it only names filled in; None where that is not on this machine."""
Hold = Callable[[Vector], Vector]
"""What is kept of a vector in memory: itself, or an equal one that is smaller."""


@dataclass(frozen=True)
class Spool:
    """A temporary file of vectors. It is read at a place, so that forked processes can share it."""

    file: IO[bytes]
    size: List[int] = field(default_factory=lambda: [0])

    def put(self, vector: Vector) -> int:
        """Where it is from now on."""
        data = marshal.dumps({**vars(vector), "source": (vector.source.kind, vector.source.ref)})
        self.file.write(data)
        place = (self.size[0] << LENGTH_BITS) | len(data)
        self.size[0] += len(data)
        return place

    def vector(self, item: Item, tokenizer: Optional[str]) -> Vector:
        """The vector behind an item, narrowed to one tokenizer where one is named."""
        whole = self._got(item) if isinstance(item, int) else item
        return whole if tokenizer is None else narrowed(whole, tokenizer)

    def _got(self, place: int) -> Vector:
        length = place & ((1 << LENGTH_BITS) - 1)
        data = os.pread(self.file.fileno(), length, place >> LENGTH_BITS)
        values = marshal.loads(data)  # noqa: S302 - our own bytes
        values["source"] = Source(*values["source"])
        return Vector(**values)


@dataclass(frozen=True)
class StoredVectors(Sequence[Vector]):
    """Vectors of one tokenizer (of all without a name), in the order of their files.

    Attributes:
        suites: suite → the items that it applies to.
        digests: what the answers are about → how many, and the id of the first.
    """

    spool: Spool
    items: Sequence[Item]
    tokenizer: Optional[str] = None
    suites: Mapping[str, Sequence[Item]] = field(default_factory=dict, repr=False)
    digests: Mapping[str, Tuple[int, str]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Vector]:
        return (self.spool.vector(item, self.tokenizer) for item in self.items)

    @overload
    def __getitem__(self, index: int) -> Vector: ...
    @overload
    def __getitem__(self, index: slice) -> List[Vector]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Vector, List[Vector]]:
        if isinstance(index, slice):
            return [self.spool.vector(item, self.tokenizer) for item in self.items[index]]
        return self.spool.vector(self.items[index], self.tokenizer)

    def of_suite(self, name: str) -> StoredVectors:
        """Those that a suite applies to, one of `suites`."""
        return StoredVectors(self.spool, self.suites[name], self.tokenizer)


def of_suite(vectors: Sequence[Vector], name: str, applies: Test) -> Sequence[Vector]:
    """The vectors that a suite applies to, without holding what is not held."""
    if isinstance(vectors, StoredVectors) and name in vectors.suites:
        return vectors.of_suite(name)
    return [vector for vector in vectors if applies(vector)]


@dataclass
class Collected:
    """What is noted of one tokenizer while the files are read. Mutable on purpose."""

    suites: Dict[str, List[Item]]
    items: List[Item] = field(default_factory=list)
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
        return self.tokenizers.get(tokenizer, StoredVectors(self.every.spool, ()))


def catalogue(
    path: Path,
    tests: Mapping[str, Test],
    wanted: Test,
    complete: Complete = lambda vector: vector,
    hold: Hold = lambda vector: vector,
) -> Catalogue:
    """The vectors of a file, or of the files below a folder, that are wanted.

    `tests`: suite → whether it applies to a vector of one tokenizer. FormatError with file and line.
    """
    files = vector_files(path) if path.is_dir() else (path,)
    spool = Spool(tempfile.TemporaryFile())  # noqa: SIM115 - it is deleted with the last reader
    every: List[Item] = []
    found: Dict[str, Collected] = {}
    for file in files:
        for vector, item in _read(file, spool, complete, hold):
            if wanted(vector):
                every.append(item)
                for tokenizer in vector.expect:
                    noted = found.get(tokenizer)
                    if noted is None:
                        noted = found[tokenizer] = Collected({name: [] for name in tests})
                    noted.add(vector, item, tokenizer, tests)
    spool.file.flush()
    stored = {
        name: StoredVectors(spool, one.items, name, one.suites, one.digests) for name, one in found.items()
    }
    return Catalogue(StoredVectors(spool, every), stored)


def _read(file: Path, spool: Spool, complete: Complete, hold: Hold) -> Iterator[Tuple[Vector, Item]]:
    """Each vector of a file with its item: itself, or its place where the file has many."""
    try:
        with open(file, "rb") as lines:  # noqa: PTH123 - read line by line
            held = sum(1 for _ in lines) <= KEPT
            lines.seek(0)
            for number, line in enumerate(lines, 1):
                if line.strip(b"\n"):
                    vector = complete(parse_row(parse_line(line, number, file), f"line {number}"))
                    if vector is not None:
                        yield vector, hold(vector) if held else spool.put(vector)
    except FormatError as error:
        raise error.at(str(file)) from error
