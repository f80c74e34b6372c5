"""From a description to bytes: the oracle's field order, indentation and escapes."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Dict, Iterator, List, Mapping, Optional

from ...core.description import AddedToken, Component, Description, Padding, Truncation
from ...core.errors import FormatError
from .numbers import write_number

_CONSTANTS: Mapping[object, str] = {None: "null", True: "true", False: "false"}


def serialize(description: Description) -> bytes:
    """The file's bytes. Reading them gives an equal description.

    Raises:
        FormatError: a component exists in device formats only.
    """
    for name in ("normalizer", "pre_tokenizer", "post_processor", "decoder", "model"):
        refuse_device_parts(getattr(description, name), name)
    document = {
        "version": "1.0",
        "truncation": _truncation(description.truncation),
        "padding": _padding(description.padding),
        "added_tokens": [_added_token(token) for token in description.added_tokens],
        "normalizer": _fields(description.normalizer),
        "pre_tokenizer": _fields(description.pre_tokenizer),
        "post_processor": _fields(description.post_processor),
        "decoder": _fields(description.decoder),
        "model": _fields(description.model),
    }
    return "".join(_rendered(document, "\n")).encode("utf-8")


def _rendered(value: object, newline: str) -> Iterator[str]:
    """Two spaces per level, one item per line. `newline` holds the indentation of the place."""
    if isinstance(value, dict):
        yield from _items(
            [f"{encode_basestring(key)}: " for key in value], list(value.values()), "{}", newline
        )
    elif isinstance(value, (list, tuple)):
        yield from _items([""] * len(value), list(value), "[]", newline)
    else:
        yield _scalar(value)


def _items(heads: List[str], values: List[object], brackets: str, newline: str) -> Iterator[str]:
    inner = newline + "  "
    separator = brackets[0] + inner
    for head, value in zip(heads, values):
        yield separator + head
        if isinstance(value, (dict, list, tuple)):
            yield from _rendered(value, inner)
        else:
            yield _scalar(value)
        separator = "," + inner
    yield newline + brackets[1] if heads else brackets


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    return write_number(value) if isinstance(value, float) else str(value)


def _fields(component: Optional[Component]) -> object:
    return None if component is None else component.to_fields()


def refuse_device_parts(value: object, field: str) -> None:
    """FormatError for a component that only device formats have; parts of a Sequence are looked at, too."""
    clause = getattr(value, "CLAUSE", None)
    if clause is not None:
        name = getattr(value, "TYPE", type(value).__name__)
        raise FormatError(f"tokenizer.json cannot hold {name} (clause {clause})", field=field)
    for name in ("normalizers", "pretokenizers", "processors", "decoders"):
        for i, part in enumerate(getattr(value, name, ())):
            refuse_device_parts(part, f"{field}.{name}[{i}]")


def _added_token(token: AddedToken) -> Dict[str, object]:
    return {
        "id": token.id,
        "content": token.content,
        "single_word": token.single_word,
        "lstrip": token.lstrip,
        "rstrip": token.rstrip,
        "normalized": token.normalized,
        "special": token.special,
    }


def _truncation(value: Optional[Truncation]) -> object:
    if value is None:
        return None
    return {
        "direction": value.direction,
        "max_length": value.max_length,
        "strategy": value.strategy,
        "stride": value.stride,
    }


def _padding(value: Optional[Padding]) -> object:
    if value is None:
        return None
    return {
        "strategy": "BatchLongest" if value.fixed is None else {"Fixed": value.fixed},
        "direction": value.direction,
        "pad_to_multiple_of": value.pad_to_multiple_of,
        "pad_id": value.pad_id,
        "pad_type_id": value.pad_type_id,
        "pad_token": value.pad_token,
    }
