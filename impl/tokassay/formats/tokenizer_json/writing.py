"""From a description to bytes: the oracle's field order, indentation and escapes."""

from __future__ import annotations

import json
from typing import Dict, Optional

from ...core.description import AddedToken, Component, Description, Padding, Truncation
from .numbers import write_number


class _Number(float):
    """A float that prints as a decimal which is read back as itself."""

    def __repr__(self) -> str:
        return write_number(float(self))


def serialize(description: Description) -> bytes:
    """The file's bytes. Reading them gives an equal description."""
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
    return json.dumps(document, indent=2, ensure_ascii=False).encode("utf-8")


def _fields(component: Optional[Component]) -> object:
    return None if component is None else component.to_fields()


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
