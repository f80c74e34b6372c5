"""vocab.json with merges.txt beside it, as GPT-2 came (clauses ``tokenizer-txt.sources.vocab-json``)."""

from __future__ import annotations

import json
import re
from typing import Dict, List, Tuple

from ..core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ..core.description import Description
from ..core.errors import FormatError
from ..core.models.bpe import BPE
from ..core.pretokenizers.byte_level import ByteLevel
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
    vocabulary, border, merges = data.partition(_BORDER)
    if not border:
        raise FormatError(f"{COMPANION} has to lie beside it", field="merges")
    try:
        model = BPE(_vocab(vocabulary), _merges(merges))
    except FormatError as error:
        raise FormatError(error.reason, field=error.field or "merges", offset=error.offset) from error
    return Description(
        model,
        pre_tokenizer=ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=True),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=True, use_regex=True),
    )


def _vocab(data: bytes) -> Dict[str, int]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {error}", field="vocab", offset=getattr(error, "pos", 0)) from error
    if not isinstance(found, dict) or any(type(index) is not int or index < 0 for index in found.values()):
        raise FormatError("expected an object of token: id", field="vocab", offset=0)
    return found


def _merges(data: bytes) -> List[Tuple[str, str]]:
    """Two tokens a line; a first line that begins with #version is no merge."""
    lines = Lines(data)
    merges: List[Tuple[str, str]] = []
    while lines.left:
        field = f"merges[{len(merges)}]"
        line = lines.text(lines.line(field), field)
        if not line or (lines.at == 0 and line.startswith("#version")):
            continue
        left, blank, right = line.partition(" ")
        if not blank or not left or not right or " " in right:
            lines.fail(field, f"expected two tokens and one blank between them ({COMPANION})")
        merges.append((left, right))
    return merges


def serialize(description: Description) -> bytes:  # noqa: ARG001
    """FormatError: this is a source only."""
    raise FormatError("is only read; write tokenizer.json or tokenizer.txt", field="format")
