"""Plain greedy: always the longest entry, no merges (clauses ``vocab-bin.encode.*``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import (
    Callable,
    ClassVar,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
)

from ..byte_records import Records, head_of, heads_in, is_marker
from ..byte_text import character_at, shown, stored
from ..description import Warning as Oddity
from ..device_only import DeviceOnly
from ..token import Token
from .byte_matching import ByteIndex, Find, scanning

SPACE = 0x20
SPACE_MARKER = b"\xc4\xa0"
LINE_MARKER = b"\xc4\x8a"
MOST_BEHIND_MARKER = 509
# Up to here finding the entries for one text is cheaper than the index of all.
LONGEST_FIRST = 1 << 15


Exact = Callable[[bytes], Optional[int]]
"""The id of an entry, None where there is no such entry."""


class Placed(NamedTuple):
    """An id with the bytes of the text that it stands for."""

    id: int
    start: int
    end: int


@dataclass(frozen=True)
class GreedyBytes(DeviceOnly):
    """A vocab.bin: ids are places of a table of byte strings. `prove` reads what loading did not."""

    TYPE: ClassVar[str] = "plain greedy"
    PART: ClassVar[str] = "model"
    CLAUSE: ClassVar[str] = "vocab-bin.encode.longest"
    records: Records
    # What decoding shows for an id outside the table (``vocab-bin.decode.unknown``).
    placeholder: ClassVar[str] = "[UNK]"

    @property
    def vocab_size(self) -> int:
        return self.records.count

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """Stored bytes, invalid UTF-8 escaped as ``surrogateescape`` does → id."""
        return {shown(entry): index for entry, index in self.index.ids.items()}

    @cached_property
    def index(self) -> ByteIndex:
        return ByteIndex.of(self.records.strings)

    def token_to_id(self, token: str) -> Optional[int]:
        return self.index.ids.get(stored(token))

    def id_to_token(self, index: int) -> Optional[str]:
        """The stored bytes; empty for a hole."""
        return shown(self.records.strings[index]) if 0 <= index < self.records.count else None

    def build(self) -> GreedySegmenter:
        return GreedySegmenter(self, self._firsts)

    @cached_property
    def _firsts(self) -> Iterator[bool]:
        """True for the first text, whichever segmenter is asked."""
        return iter((True,))

    @staticmethod
    def may_repeat(entry: bytes) -> bool:
        """Whether two ids may store this without a mistake."""
        return is_marker(entry)

    def prove(self) -> Sequence[Oddity]:
        """Everything odd about the content, read whole."""
        return tuple(self.records.oddities())


class GreedySegmenter:
    """Greedy from the left, by an index; `tokenize_by_scan` is the same by the definition.

    The first text is matched against the entries alone that can stand in it: the index of all of them
    takes longer than most texts.
    """

    def __init__(self, model: GreedyBytes, firsts: Iterator[bool]) -> None:
        self.model, self._firsts = model, firsts

    @property
    def index(self) -> ByteIndex:
        """The index of all entries."""
        return self.model.index

    def index_for(self, data: bytes) -> ByteIndex:
        """One that knows every entry that can stand in a text."""
        if not next(self._firsts, False) or len(data) > LONGEST_FIRST or "index" in vars(self.model):
            return self.index
        entries = self.model.records.beginning(heads_in(data).union(marked_heads(data)))
        return self.index if entries is None else ByteIndex(entries)

    def ids(self, piece: str) -> List[int]:
        data = piece.encode("utf-8")
        index = self.index_for(data)
        return [placed.id for placed in greedy(index.finder(len(data)), index.ids.get, data)]

    def tokenize(self, piece: str) -> List[Token]:
        data = piece.encode("utf-8")
        return self._tokens(data, self.index.finder(len(data)))

    def tokenize_by_scan(self, piece: str) -> List[Token]:
        return self._tokens(piece.encode("utf-8"), scanning(self.model.records.strings))

    def _tokens(self, data: bytes, find: Find) -> List[Token]:
        place, strings = character_at(data), self.model.records.strings
        return [
            Token(found.id, shown(strings[found.id]), place(found.start), place(found.end - 1) + 1)
            for found in greedy(find, self.index.ids.get, data)
        ]


def marked_heads(data: bytes) -> Iterator[int]:
    """The heads of what `greedy` asks for beside the text: marked words, and the marker of a line feed."""
    yield head_of(LINE_MARKER)
    for word in data.split(bytes([SPACE])):
        yield head_of(SPACE_MARKER + word)
        yield head_of(SPACE_MARKER + word[:1])


def greedy(find: Find, exact: Exact, data: bytes) -> Iterator[Placed]:
    """The ids of a text. `find`: the longest entry; `exact`: the entry of some bytes."""
    data = data.partition(b"\0")[0]
    position, emitted = 0, False
    while True:
        start = position
        while position < len(data) and data[position] == SPACE:
            position += 1
        if position == len(data):
            return
        placed = _marked(find, data, position) if emitted and position > start else None
        placed = placed or _plain(find, exact, data, position)
        yield placed
        position, emitted = placed.end, True


def _marked(find: Find, data: bytes, position: int) -> Optional[Placed]:
    """An entry that stores a space before what stands here; the space is part of its place."""
    probe = SPACE_MARKER + data[position : position + MOST_BEHIND_MARKER]
    found = find(probe, 0, len(probe))
    if found is None or found.length <= len(SPACE_MARKER):
        return None
    return Placed(found.id, position - 1, position + found.length - len(SPACE_MARKER))


def _plain(find: Find, exact: Exact, data: bytes, position: int) -> Placed:
    found = find(data, position, len(data))
    if found is not None:
        return Placed(found.id, position, position + found.length)
    line = exact(LINE_MARKER) if data[position] == 0x0A else None
    return Placed(0 if line is None else line, position, position + 1)
