"""From bytes to a description (clauses ``json.top`` and ``json.added-tokens.ids``)."""

from __future__ import annotations

from typing import Dict, List, Mapping, Optional, Sequence, Tuple, cast

from ...core.description import AddedToken, Description, Padding, Truncation
from ...core.description import Warning as Oddity
from ...core.errors import FormatError
from ...core.registry import read_component
from .components import (
    DECODER,
    MODEL,
    NORMALIZER,
    PADDING,
    POST_PROCESSOR,
    PRE_TOKENIZER,
    TRUNCATION,
    added_tokens,
)
from .families import Family
from .large import load_large
from .repeats import repeats
from .shapes import At, Shape, optional, shown, string
from .text import Document, Repeated, check_limits, check_patterns, nested_too_deeply

_FAMILIES: Mapping[str, Family] = {
    "normalizer": NORMALIZER,
    "pre_tokenizer": PRE_TOKENIZER,
    "post_processor": POST_PROCESSOR,
    "decoder": DECODER,
    "model": MODEL,
}


def _version(value: object, at: At) -> object:
    if string(value, at) != "1.0":
        raise at.error(f"unknown version {shown(value)}, expected 1.0")
    return value


_SHAPES: Mapping[str, Shape] = {
    "version": _version,
    "truncation": optional(TRUNCATION),
    "padding": optional(PADDING),
    "added_tokens": added_tokens,
    **{name: optional(family.resolve) for name, family in _FAMILIES.items() if name != "model"},
    "model": MODEL.resolve,
}


def parse(data: bytes) -> Description:
    """The description in the bytes of a tokenizer.json.

    Raises:
        FormatError: with field and reason, and the byte offset for text that is not JSON.
    """
    try:
        return _describe(load_large(data))
    except RecursionError as error:
        raise nested_too_deeply(data) from error


def _describe(read: Document) -> Description:
    document = read.value
    if not isinstance(document, dict):
        raise FormatError(f"expected an object, got {shown(document)}", offset=0)
    _check_limits(document)
    notes: List[Oddity] = []
    canonical: Dict[str, object] = {}
    for name, value in _entries(document):
        canonical[name] = _canonical(name, value, At(name, notes))
        if name != "model":
            check_patterns(canonical[name], name)
    if "model" not in canonical:
        raise FormatError("is missing", field="model")
    if "version" not in canonical:
        notes.append(Oddity("version", "is missing"))
    parts = {name: _component(name, canonical.get(name)) for name in _FAMILIES}
    return Description(
        **parts,  # type: ignore[arg-type]
        added_tokens=_added_tokens(canonical.get("added_tokens", [])),
        truncation=_truncation(canonical.get("truncation")),
        padding=_padding(canonical.get("padding")),
        warnings=(*notes, *read.notes, *(repeats(document) if read.has_repeats else ())),
    )


def _entries(document: Dict[str, object]) -> Sequence[Tuple[str, object]]:
    """Every top-level field; one that occurs twice is checked twice, and its last value counts."""
    return document.pairs if isinstance(document, Repeated) else list(document.items())


def _canonical(name: str, value: object, at: At) -> object:
    shape = _SHAPES.get(name)
    if shape is None:
        # Not a warning: the oracle does not skip the value and trips over it.
        raise FormatError("unknown top-level field", field=name or "''")
    return shape(value, at)


def _check_limits(document: Dict[str, object]) -> None:
    """Nesting everywhere but inside vocabularies and merges, whose shapes are flat."""
    for name, value in document.items():
        if name == "model" and isinstance(value, dict):
            for key, content in value.items():
                if key not in ("vocab", "merges"):
                    check_limits(content, f"model.{key}", 3)
        else:
            check_limits(value, name, 2)


def _component(name: str, value: object) -> Optional[object]:
    return None if value is None else read_component(_FAMILIES[name].package, value, name)


def _added_tokens(values: object) -> Sequence[AddedToken]:
    if not isinstance(values, list):
        return cast("Sequence[AddedToken]", values)
    return tuple(AddedToken(**value) for value in cast("List[Dict[str, object]]", values))  # type: ignore[arg-type]


def _truncation(value: object) -> Optional[Truncation]:
    return None if value is None else Truncation(**cast("Dict[str, object]", value))  # type: ignore[arg-type]


def _padding(value: object) -> Optional[Padding]:
    if value is None:
        return None
    fields = dict(cast("Dict[str, object]", value))
    strategy = fields.pop("strategy")
    return Padding(fixed=strategy["Fixed"] if isinstance(strategy, dict) else None, **fields)  # type: ignore[arg-type]
