"""Normalizers of .mtok (clauses ``mtok.normalizer.*``)."""

from __future__ import annotations

import struct
from typing import List, Optional, Tuple

from ...core.description import Normalizer
from ...core.errors import FormatError
from ...core.matching import TextPattern
from ...core.normalizers.bert import BertNormalizer
from ...core.normalizers.code_point_table import CodePointTable
from ...core.normalizers.nothing import Nothing
from ...core.normalizers.prepend import Prepend
from ...core.normalizers.replace import Replace
from ...core.normalizers.sequence import Sequence
from ...core.normalizers.strip import Strip
from ...core.normalizers.tabled_bert import TabledBert
from ...core.normalizers.untabled_nfkc import UntabledNFKC
from .cursor import Cursor, string, u8, u32

NONE, NFKC, PREPEND, REPLACE, SEQUENCE, BERT, TABLE, BERT_TABLE, STRIP = range(9)
MOST_ENTRIES = 100_000
_ENTRY = struct.Struct("<IH")


def read(cursor: Cursor, field: str = "normalizer") -> Optional[Normalizer]:
    """None at the top for type 0; inside a Sequence that is `Nothing`."""
    start, kind = cursor.at, cursor.u8(f"{field}.type")
    if kind == NONE:
        return None
    if kind == NFKC:
        return UntabledNFKC()
    if kind == PREPEND:
        return Prepend(cursor.string(f"{field}.prepend"))
    if kind == REPLACE:
        return _replace(cursor, field)
    if kind == SEQUENCE:
        return Sequence(cursor.several(field, _part))
    if kind in (BERT, BERT_TABLE):
        return _bert(cursor, field, tabled=kind == BERT_TABLE)
    if kind == TABLE:
        return read_table(cursor, f"{field}.table")
    if kind == STRIP:
        return Strip(cursor.flag(f"{field}.left"), cursor.flag(f"{field}.right"))
    raise cursor.fault(f"no normalizer has type {kind}", f"{field}.type", start)


def _part(cursor: Cursor, field: str) -> Normalizer:
    return read(cursor, field) or Nothing()


def _replace(cursor: Cursor, field: str) -> Replace:
    start, pattern = cursor.at, cursor.string(f"{field}.pattern")
    if not pattern:
        raise cursor.fault("an empty pattern: what it replaces is not defined", f"{field}.pattern", start)
    return Replace(TextPattern("String", pattern), cursor.string(f"{field}.content"))


def _bert(cursor: Cursor, field: str, *, tabled: bool) -> Normalizer:
    names = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    clean, cjk, strip, lower = (cursor.flag(f"{field}.{name}") for name in names)
    if not tabled and not strip:
        return BertNormalizer(clean, cjk, strip, lower)
    table = read_table(cursor, f"{field}.table") if tabled and strip else None
    return TabledBert(clean, cjk, strip, lower, table)


def _decoded(cursor: Cursor, end: int, field: str) -> str:
    try:
        return cursor.data[cursor.at : end].decode("utf-8")
    except UnicodeDecodeError:
        return cursor.text(field, end - cursor.at)  # raises, with the place


def read_table(cursor: Cursor, field: str) -> CodePointTable:
    """``[u32 count]``, then ``[u32 code point][string]``, ascending (``mtok.normalizer.table``)."""
    start, count = cursor.at, cursor.u32(field)
    if count > MOST_ENTRIES:
        raise cursor.fault(f"{count} entries, {MOST_ENTRIES} are allowed", field, start)
    data, at = cursor.data, cursor.at
    entries: List[Tuple[int, str]] = []
    before = -1
    for _ in range(count):  # there are thousands of entries, so this loop has no calls for their parts
        if at + _ENTRY.size > len(data):
            raise cursor.fault("the file ends within an entry", field, at)
        code, size = _ENTRY.unpack_from(data, at)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000 or code <= before:
            raise cursor.fault(f"0x{code:X} is not a scalar value, or does not ascend", field, at)
        cursor.at = at + _ENTRY.size
        at = cursor.at + size
        entries.append((code, cursor.text(field, size) if at > len(data) else _decoded(cursor, at, field)))
        before = code
    cursor.at = at
    return CodePointTable(tuple(entries))


def written(part: Optional[Normalizer], field: str = "normalizer") -> bytes:
    """The bytes of a normalizer that this format has; FormatError for any other."""
    if part is None or isinstance(part, Nothing):
        return u8(NONE)
    if isinstance(part, UntabledNFKC):
        return u8(NFKC)
    if isinstance(part, Prepend):
        return u8(PREPEND) + string(part.prepend, field)
    if isinstance(part, Replace) and part.pattern.kind == "String" and part.pattern.source:
        return u8(REPLACE) + string(part.pattern.source, field) + string(part.content, field)
    if isinstance(part, Sequence):
        parts = [written(one, f"{field}[{i}]") for i, one in enumerate(part.normalizers)]
        return u8(SEQUENCE) + u32(len(parts)) + b"".join(parts)
    if isinstance(part, CodePointTable):
        return u8(TABLE) + written_table(part, field)
    if isinstance(part, Strip):
        return bytes([STRIP, part.strip_left, part.strip_right])
    if isinstance(part, BertNormalizer) and part.strip_accents is False:
        return bytes([BERT, part.clean_text, part.handle_chinese_chars, 0, part.lowercase])
    if isinstance(part, TabledBert):
        return _written_bert(part, field)
    raise FormatError(f".mtok cannot hold {part.TYPE}", field=field)


def _written_bert(part: TabledBert, field: str) -> bytes:
    kind = BERT if part.strip_accents and part.table is None else BERT_TABLE
    flags = [part.clean_text, part.handle_chinese_chars, part.strip_accents, part.lowercase]
    table = b"" if part.table is None else written_table(part.table, field)
    return bytes([kind, *flags]) + table


def written_table(table: CodePointTable, field: str) -> bytes:
    entries = [u32(code) + string(text, field) for code, text in table.entries]
    return u32(len(entries)) + b"".join(entries)
