"""Decoders of .mtok (clauses ``mtok.decoder.*``)."""

from __future__ import annotations

from typing import Optional

from ...core.decoders.byte_fallback import ByteFallback
from ...core.decoders.byte_level import ByteLevel
from ...core.decoders.fuse import Fuse
from ...core.decoders.metaspace import Metaspace
from ...core.decoders.replace import Replace
from ...core.decoders.sequence import Sequence
from ...core.decoders.strip import Strip
from ...core.decoders.wordpiece import WordPiece
from ...core.description import Decoder
from ...core.errors import FormatError
from ...core.matching import TextPattern
from .cursor import Cursor, string, u8, u32

BYTE_LEVEL, BYTE_FALLBACK, METASPACE, WORDPIECE, FUSE, REPLACE, STRIP, SEQUENCE = range(8)
PLAIN_BYTE_LEVEL = ByteLevel(add_prefix_space=True, trim_offsets=True, use_regex=True)


def read(cursor: Cursor, field: str = "decoder") -> Decoder:
    start, kind = cursor.at, cursor.u8(f"{field}.type")
    if kind == BYTE_LEVEL:
        return PLAIN_BYTE_LEVEL
    if kind == BYTE_FALLBACK:
        return ByteFallback()
    if kind == METASPACE:
        mark = cursor.character(f"{field}.replacement")
        return Metaspace(mark, "always" if cursor.flag(f"{field}.add_prefix_space") else "never")
    if kind == WORDPIECE:
        return WordPiece(cursor.string(f"{field}.prefix"), cursor.flag(f"{field}.cleanup"))
    if kind == FUSE:
        return Fuse()
    if kind == REPLACE:
        return _replace(cursor, field)
    if kind == STRIP:
        content = cursor.character(f"{field}.content")
        return Strip(content, cursor.u32(f"{field}.start"), cursor.u32(f"{field}.stop"))
    if kind == SEQUENCE:
        return Sequence(cursor.several(field, read))
    raise cursor.fault(f"no decoder has type {kind}", f"{field}.type", start)


def _replace(cursor: Cursor, field: str) -> Replace:
    start, pattern = cursor.at, cursor.string(f"{field}.pattern")
    if not pattern:
        raise cursor.fault("an empty pattern: what it replaces is not defined", f"{field}.pattern", start)
    return Replace(TextPattern("String", pattern), cursor.string(f"{field}.content"))


def written(part: Optional[Decoder], field: str = "decoder") -> bytes:
    """The bytes of a decoder that this format has; FormatError for any other."""
    if isinstance(part, ByteLevel):
        return u8(BYTE_LEVEL)
    if isinstance(part, ByteFallback):
        return u8(BYTE_FALLBACK)
    if isinstance(part, Metaspace) and part.prepend_scheme != "first":
        return u8(METASPACE) + string(part.replacement, field) + u8(part.prepend_scheme == "always")
    if isinstance(part, WordPiece):
        return u8(WORDPIECE) + string(part.prefix, field) + u8(part.cleanup)
    if isinstance(part, Fuse):
        return u8(FUSE)
    if isinstance(part, Replace) and part.pattern.kind == "String" and part.pattern.source:
        return u8(REPLACE) + string(part.pattern.source, field) + string(part.content, field)
    if isinstance(part, Strip) and max(part.start, part.stop) < 1 << 32:
        return u8(STRIP) + string(part.content, field) + u32(part.start) + u32(part.stop)
    if isinstance(part, Sequence):
        parts = [written(one, f"{field}[{i}]") for i, one in enumerate(part.decoders)]
        return u8(SEQUENCE) + u32(len(parts)) + b"".join(parts)
    name = "no decoder at all" if part is None else part.TYPE
    raise FormatError(f".mtok cannot hold {name}", field=field)
