"""vocab.json with merges.txt beside it, as GPT-2 came (clauses ``tokenizer-txt.sources.vocab-json``)."""

from __future__ import annotations

import json
import re
from typing import Mapping

from ..core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ..core.description import Description
from ..core.errors import FormatError
from ..core.models.bpe import BPE
from ..core.models.bpe_merges import Gathered, MergeList
from ..core.packed import TextIndex
from ..core.pretokenizers.byte_level import ByteLevel
from .tokenizer_json import careful
from .tokenizer_json.large import vocabulary
from .tokenizer_json.parts import NotInParts, Part, in_parts, is_large
from .tokenizer_json.text import Reader
from .tokenizer_json.walking import Span, Walker
from .tokenizer_txt.lines import Lines

NAME = "vocab.json"
COMPANION = "merges.txt"
# JSON holds no such byte: behind it stands the companion.
_BORDER = b"\0"
_IDS = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:0|[1-9][0-9]*)\s*[,}]')


def probe(data: bytes) -> bool:
    """An object whose first value is a number."""
    return _IDS.match(data[:4096]) is not None


def joined(data: bytes, companion: bytes) -> bytes:
    """Both files as `parse` takes them."""
    return data + _BORDER + companion


def parse(data: bytes) -> Description:
    """Byte-level BPE; without its companion a vocabulary merges nothing, which is a FormatError."""
    text, border, merges = data.partition(_BORDER)
    if not border:
        raise FormatError(f"{COMPANION} has to lie beside it", field="merges")
    try:
        vocab = _vocab(text)
        model = BPE(vocab, _merges(merges, vocab))
    except FormatError as error:
        raise FormatError(error.reason, field=error.field or "merges", offset=error.offset) from error
    return Description(
        model,
        pre_tokenizer=ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=True),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=True, use_regex=True),
    )


def _vocab(data: bytes) -> Mapping[str, int]:
    large = in_parts(data, _in_parts)
    if large is not None:
        return large
    if is_large(data):
        found = Walker(careful.checked(data)).document(().__eq__)
        return _numbered(careful.vocabulary(found, []) if isinstance(found, Span) else found)
    try:
        return _numbered(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", field="vocab", offset=getattr(error, "pos", 0)) from error


def _numbered(found: object) -> Mapping[str, int]:
    if isinstance(found, TextIndex):
        return found
    if not isinstance(found, dict) or any(type(index) is not int or index < 0 for index in found.values()):
        raise FormatError("expected an object of token: id", field="vocab", offset=0)
    return found


def _in_parts(reader: Reader) -> Mapping[str, int]:
    part = Part(reader.data, len(reader.data) - len(reader.data.lstrip()), reader)
    found = vocabulary(part)
    if not isinstance(found, Mapping) or reader.data[part.end :].strip():
        raise NotInParts
    return found


def _merges(data: bytes, vocab: Mapping[str, int]) -> MergeList:
    """Two tokens a line; a first line that begins with #version is no merge."""
    lines, merges = Lines(data), Gathered(vocab)
    while lines.left:
        field = f"merges[{len(merges.left)}]"
        line = lines.text(lines.line(field), field)
        if not line or (lines.at == 0 and line.startswith("#version")):
            continue
        left, blank, right = line.partition(" ")
        if not blank or not left or not right or " " in right:
            lines.fail(field, f"expected two tokens and one blank between them ({COMPANION})")
        merges.add_named(left, right, field, lines.at)
    return merges.merges()


def serialize(description: Description) -> bytes:  # noqa: ARG001
    """FormatError: this is a source only."""
    raise FormatError("is only read; write tokenizer.json or tokenizer.txt", field="format")
