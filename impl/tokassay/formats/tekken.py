"""tekken.json of mistral-common: ranks in JSON, ids behind special tokens (clauses ``tekken.*``)."""

from __future__ import annotations

import base64
import binascii
from itertools import chain, islice
from typing import Iterable, Mapping, NoReturn, Tuple

from ..core.description import Description
from ..core.errors import FormatError
from ..core.fields import Fields
from ._ranks import Ranks, describe
from .tokenizer_json.careful import checked
from .tokenizer_json.parts import NotInParts, find_part, in_parts, is_large, mark, remaining
from .tokenizer_json.places import offset_of as locate
from .tokenizer_json.text import Reader, load
from .tokenizer_json.walking import Span, Walker

__all__ = ["NAME", "locate", "parse", "probe", "serialize"]

NAME = "tekken.json"
MOST_TOKENS = 1 << 22
DEFAULT_SPECIAL = ("<unk>", "<s>", "</s>")


def probe(data: bytes) -> bool:
    """An object with the two fields that no other format has."""
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"{") and b'"default_vocab_size"' in data and b'"token_bytes"' in data


def parse(data: bytes) -> Description:
    """Byte-level score merging behind the special tokens. FormatError with field, and offset for bad JSON."""
    fields, entries = _loaded(data)
    config = fields.object("config")
    size = config.integer("default_vocab_size", most=MOST_TOKENS)
    special = config.integer("default_num_special_tokens", most=MOST_TOKENS)
    if special > size:
        raise config.error("default_num_special_tokens", f"{special} is more than the {size} tokens")
    ranks = _ranks(fields, entries, size - special, special)
    try:
        return describe(ranks, config.string("pattern"), _special(fields, special))
    except FormatError as error:
        field = "config.pattern" if error.field == "pattern" else error.field
        raise FormatError(error.reason, field=field) from error


def _loaded(data: bytes) -> Tuple[Fields, Iterable[object]]:
    """The file, and its vocabulary: of a large file read in parts, as often as it is asked for."""
    found = in_parts(data, _in_parts)
    if found is not None:
        return found
    try:
        fields = Fields.of(_whole(data), "")
    except RecursionError as error:
        raise FormatError("is nested too deeply", offset=0) from error
    entries = fields.raw("vocab", ())
    if isinstance(entries, Span) and entries.kind == "[":
        return fields, (entry for _, entry in entries)
    return fields, fields.sequence("vocab", ())


def _whole(data: bytes) -> object:
    """The vocabulary of a large one is gone through, and not kept."""
    return Walker(checked(data)).document(("vocab",).__eq__) if is_large(data) else load(data).value


def _in_parts(reader: Reader) -> Tuple[Fields, Iterable[object]]:
    """Raises `WHOLE` where it is not as most files are."""
    part = find_part(reader.data, "vocab", reader, 0, len(reader.data))
    if part is None or part.kind != b"[":
        raise NotInParts
    for _ in part.chunks():
        pass  # to its end, before anything is kept
    fields = Fields.of(remaining(reader, {"vocab": part}).value, "")
    if fields.raw("vocab") != mark("vocab"):
        raise NotInParts
    return fields, chain.from_iterable(part.chunks())


def _ranks(fields: Fields, entries: Iterable[object], inner: int, special: int) -> Ranks:
    """The first `inner` entries; the file may hold more (``tekken.vocabulary``)."""
    fields.raw("vocab")
    ranks = Ranks()
    for place, entry in enumerate(islice(entries, inner)):
        one = Fields.of(entry, f"vocab[{place}]")
        if one.integer("rank") != place:
            raise one.error("rank", f"expected {place}: ranks are places")
        before = ranks.add(_token(one), special + place)
        if before is not None:
            raise one.error("token_bytes", f"is the token of vocab[{before}], too")
    held = len(ranks.numbers)
    if held < inner:
        raise fields.error("vocab", f"holds {held} of the {inner} tokens that config counts")
    return ranks


def _token(entry: Fields) -> bytes:
    try:
        token = base64.b64decode(entry.string("token_bytes"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise entry.error("token_bytes", f"is not base64: {error}") from error
    if not token:
        raise entry.error("token_bytes", "is empty")
    return token


def _special(fields: Fields, count: int) -> Mapping[int, str]:
    """Id → name: what the file names, then fillers (``tekken.special``)."""
    names = {index: f"<SPECIAL_{index}>" for index in range(count)}
    names.update({index: name for index, name in enumerate(DEFAULT_SPECIAL) if index < count})
    if fields.raw("special_tokens", None) is None:
        return names
    for place, entry in enumerate(fields.sequence("special_tokens")):
        one = Fields.of(entry, f"special_tokens[{place}]")
        index = one.integer("rank")
        if index >= count:
            raise one.error("rank", f"{index} is not below the {count} special tokens")
        names[index] = one.string("token_str")
    return names


def serialize(description: Description) -> NoReturn:
    """Not written."""
    raise FormatError(f"{NAME} is only read", field=type(description.model).__name__)
