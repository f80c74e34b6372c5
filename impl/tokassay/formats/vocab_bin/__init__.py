"""vocab.bin: a count, then ``<u32 id><u16 length><bytes>`` per entry (clauses ``vocab-bin.*``)."""

from __future__ import annotations

from typing import Iterator, Mapping

from ...core.byte_records import FRAME, HEADER, Records
from ...core.decoders.stored_bytes import StoredBytes
from ...core.description import Description
from ...core.models.greedy_bytes import GreedyBytes
from ..losing import Missing
from .compiling import Compiled, compile_entries, stored_bytes
from .coverage import COMMON, uncovered

__all__ = [
    "COMPILES",
    "NAME",
    "Compiled",
    "compile_entries",
    "describe",
    "facts",
    "missing",
    "parse",
    "probe",
    "serialize",
    "statistics",
    "stored_bytes",
]

NAME = "vocab.bin"
# Writing is compiling: merges and words are never kept, and nobody expects them to be.
COMPILES = True
# No mark stands at the front: the first entries have to make sense, whatever the count says.
PROBED_ENTRIES, PROBED_IDS = 3, 1 << 20


def probe(data: bytes) -> bool:
    """Whether the first entries lie inside the file and have ids of a likely size."""
    position = HEADER
    for _ in range(PROBED_ENTRIES):
        if position == len(data) > HEADER:
            return True
        index = int.from_bytes(data[position : position + 4], "little")
        position += FRAME + int.from_bytes(data[position + 4 : position + FRAME], "little")
        if position > len(data) or index >= PROBED_IDS:
            return False
    return True


def parse(data: bytes) -> Description:
    """Plain greedy on the file's entries. FormatError (field, offset) unless the structure is whole."""
    return describe(Records(data))


def describe(records: Records) -> Description:
    """The tokenizer that a table of stored bytes is."""
    return Description(model=GreedyBytes(records), decoder=StoredBytes())


def missing(description: Description) -> Iterator[Missing]:
    """What greedy matching does not keep of a tokenizer (``vocab-bin.encode.longest``)."""
    if not isinstance(description.model, GreedyBytes):
        reason = "plain greedy: no merges, words, normalizer or ids around a text are kept"
        yield Missing("", reason, ("unhappiest", "a  b", " a", "\t"))


def facts(description: Description) -> Mapping[str, object]:
    """What `tokassay inspect` shows beside the audit: sizes, and common characters without an entry."""
    model = description.model
    if not isinstance(model, GreedyBytes):
        return {}
    missing_characters = uncovered(model.records.strings)
    covered = f"{len(COMMON) - len(missing_characters)} of {len(COMMON)}"
    return {
        **statistics(description),
        "common characters": f"{covered}, MISSING {''.join(missing_characters)}"
        if missing_characters
        else covered,
    }


def statistics(description: Description) -> Mapping[str, int]:
    """Figures of compiling; of a table that is one already, its size."""
    if isinstance(description.model, GreedyBytes):
        strings = description.model.records.strings
        return {"total entries": len(strings), "max_len": max(map(len, strings))}
    return compile_entries(description).statistics()


def serialize(description: Description) -> bytes:
    """Entries in the order of their ids; a byte-level one is compiled (``vocab-bin.compile.order``)."""
    if isinstance(description.model, GreedyBytes):
        return Records.of(description.model.records.strings).data
    return compile_entries(description).data
