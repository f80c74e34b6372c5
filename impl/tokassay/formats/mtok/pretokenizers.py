"""Pre-tokenizers of .mtok (clauses ``mtok.pretokenizer.*``)."""

from __future__ import annotations

from typing import Optional

from ...core.description import PreTokenizer
from ...core.errors import FormatError, PatternError
from ...core.matching import TextPattern
from ...core.pretokenizers.bert import BertPreTokenizer
from ...core.pretokenizers.byte_level import ByteLevel
from ...core.pretokenizers.digits import Digits
from ...core.pretokenizers.metaspace import Metaspace
from ...core.pretokenizers.nothing import Nothing
from ...core.pretokenizers.sequence import Sequence
from ...core.pretokenizers.split import Split
from .cursor import Cursor, string, u8, u32

NONE, BYTE_LEVEL, DIGITS, METASPACE, SPLIT, BERT, SEQUENCE = range(7)
BEHAVIOURS = ("Isolated", "Removed", "MergedWithPrevious")


def read(cursor: Cursor, field: str = "pre_tokenizer") -> Optional[PreTokenizer]:
    """None at the top for type 0; inside a Sequence that is `Nothing`."""
    start, kind = cursor.at, cursor.u8(f"{field}.type")
    if kind == NONE:
        return None
    if kind == BYTE_LEVEL:
        return byte_level(use_regex=cursor.flag(f"{field}.use_regex"))
    if kind == DIGITS:
        return Digits(cursor.flag(f"{field}.individual_digits"))
    if kind == METASPACE:
        mark = cursor.character(f"{field}.replacement")
        return metaspace(mark, prefix=cursor.flag(f"{field}.add_prefix_space"))
    if kind == SPLIT:
        return _split(cursor, field)
    if kind == BERT:
        return BertPreTokenizer()
    if kind == SEQUENCE:
        return Sequence(cursor.several(field, _part))
    raise cursor.fault(f"no pre-tokenizer has type {kind}", f"{field}.type", start)


def _part(cursor: Cursor, field: str) -> PreTokenizer:
    return read(cursor, field) or Nothing()


def byte_level(*, use_regex: bool) -> ByteLevel:
    """What the file says of ByteLevel: it never adds a space, and offsets are not its business."""
    return ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=use_regex)


def metaspace(mark: str, *, prefix: bool) -> Metaspace:
    return Metaspace(mark, "always" if prefix else "never")


def _split(cursor: Cursor, field: str) -> Split:
    start, source = cursor.at, cursor.string(f"{field}.pattern")
    invert, at = cursor.flag(f"{field}.invert"), cursor.at
    behaviour = cursor.u8(f"{field}.behavior")
    if behaviour >= len(BEHAVIOURS):
        raise cursor.fault(f"no behaviour has the number {behaviour}", f"{field}.behavior", at)
    try:
        pattern = TextPattern("Regex", source)
    except PatternError as error:
        raise cursor.fault(str(error), f"{field}.pattern", start) from error
    return Split(pattern, BEHAVIOURS[behaviour], invert)


def written(part: Optional[PreTokenizer], field: str = "pre_tokenizer") -> bytes:
    """The bytes of a pre-tokenizer that this format has; FormatError for any other."""
    if part is None or isinstance(part, Nothing):
        return u8(NONE)
    if isinstance(part, ByteLevel) and not part.add_prefix_space:
        return bytes([BYTE_LEVEL, part.use_regex])
    if isinstance(part, Digits):
        return bytes([DIGITS, part.individual_digits])
    if isinstance(part, Metaspace) and part.prepend_scheme != "first" and part.pieces:
        return u8(METASPACE) + string(part.replacement, field) + u8(part.prepend_scheme == "always")
    if isinstance(part, Split) and part.pattern.kind == "Regex" and part.behavior in BEHAVIOURS:
        tail = bytes([part.invert, BEHAVIOURS.index(part.behavior)])
        return u8(SPLIT) + string(part.pattern.source, field) + tail
    if isinstance(part, BertPreTokenizer):
        return u8(BERT)
    if isinstance(part, Sequence):
        parts = [written(one, f"{field}[{i}]") for i, one in enumerate(part.pretokenizers)]
        return u8(SEQUENCE) + u32(len(parts)) + b"".join(parts)
    raise FormatError(f".mtok cannot hold {part.TYPE} as it is", field=field)
