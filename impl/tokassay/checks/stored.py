"""Vectors that lie in a file until they are asked: a run over many of them does not hold them.

The rows of a file with more than `KEPT` are checked once and put into a temporary file in a form that is
read several times faster than JSON. Smaller files are held, for many tokenizers ask for them.
"""

from __future__ import annotations

import marshal
import os
import tempfile
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, repeat
from pathlib import Path
from typing import (
    IO,
    Any,
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
BLOCK = 64  # vectors that are written and read at a time
# A vector, or its number in the temporary file: the least to keep.
Item = Union[Vector, int]
# What many vectors share, from `op` to `oracle_note`, and what is a vector's own.
Frame = Tuple[str, str, str, Tuple[str, ...], Tuple[str, str], Tuple[str, str], str]
Row = Tuple[Frame, str, Mapping[str, object], Mapping[str, Mapping[str, object]], str]
Test = Callable[[Vector], bool]
Complete = Callable[[Vector], Optional[Vector]]
"""A vector with what it only names filled in; None where that is not on this machine."""
Hold = Callable[[Vector], Vector]
"""What is kept of a vector in memory: itself, or an equal one that is smaller."""


@dataclass
class Spool:
    """A temporary file of vectors. It is read at a place, so that forked processes can share it.

    Mutable on purpose: `coming` waits to be written, `last` is the block that was read last.
    """

    file: IO[bytes]
    places: List[int] = field(default_factory=lambda: [0])  # where each block begins, and the end
    coming: List[Row] = field(default_factory=list)
    last: Tuple[int, List[Row]] = (-1, [])

    def put(self, vector: Vector) -> int:
        """Its number from now on."""
        number = (len(self.places) - 1) * BLOCK + len(self.coming)
        frame = _shared(
            vector.op,
            vector.kind,
            vector.level,
            vector.clauses,
            (vector.source.kind, vector.source.ref),
            vector.oracle,
            vector.oracle_note,
        )
        self.coming.append((frame, vector.id, vector.given, vector.expect, vector.hash))
        if len(self.coming) == BLOCK:
            self.write()
        return number

    def write(self) -> None:
        """Write what waits."""
        data = marshal.dumps(self.coming)
        self.file.write(data)
        self.file.flush()
        self.places.append(self.places[-1] + len(data))
        self.coming = []

    def vector(self, item: Item, tokenizer: Optional[str]) -> Vector:
        """The vector behind an item, narrowed to one tokenizer where one is named."""
        if isinstance(item, int):
            block, place = divmod(item, BLOCK)
            held, rows = self.last
            item = _vector((rows if held == block else self._rows(block))[place])
        return item if tokenizer is None else narrowed(item, tokenizer)

    def _rows(self, block: int) -> List[Row]:
        start, end = self.places[block : block + 2]
        rows: List[Row] = marshal.loads(os.pread(self.file.fileno(), end - start, start))  # noqa: S302 - our own
        self.last = (block, rows)
        return rows


@lru_cache(maxsize=4096)
def _shared(*frame: Any) -> Frame:
    """One object for all vectors that share it: `marshal` then writes it once in a block."""
    return frame


def _vector(row: Row) -> Vector:
    """Its fields are set at once: one by one, as a frozen dataclass does it, takes three times as long."""
    frame, name, given, expect, digest = row
    vector = object.__new__(Vector)
    vars(vector).update(_fields(frame), id=name, given=given, expect=expect, hash=digest)
    return vector


@lru_cache(maxsize=4096)
def _fields(frame: Frame) -> Mapping[str, object]:
    op, kind, level, clauses, source, oracle, note = frame
    return {
        "op": op,
        "kind": kind,
        "level": level,
        "clauses": clauses,
        "source": Source(*source),
        "oracle": oracle,
        "oracle_note": note,
    }


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
        return map(self.spool.vector, self.items, repeat(self.tokenizer))

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
    spool.write()
    stored = {
        name: StoredVectors(spool, one.items, name, one.suites, one.digests) for name, one in found.items()
    }
    return Catalogue(StoredVectors(spool, every), stored)


def _read(file: Path, spool: Spool, complete: Complete, hold: Hold) -> Iterator[Tuple[Vector, Item]]:
    """Each vector of a file with its item: itself, or its place where the file has many."""
    try:
        with open(file, "rb") as lines:  # noqa: PTH123 - read line by line
            held = sum(1 for _ in islice(lines, KEPT + 1)) <= KEPT
            lines.seek(0)
            for number, line in enumerate(lines, 1):
                if line.strip(b"\n"):
                    vector = complete(parse_row(parse_line(line, number, file), f"line {number}"))
                    if vector is not None:
                        yield vector, hold(vector) if held else spool.put(vector)
    except FormatError as error:
        raise error.at(str(file)) from error
