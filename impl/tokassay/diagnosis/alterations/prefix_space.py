"""A space in front of the text: added where it should not be, or missing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator

from tokassay.core.description import Description
from tokassay.core.pretokenizers.byte_level import ByteLevel
from tokassay.core.pretokenizers.metaspace import Metaspace

from . import Altered
from ._parts import each_replaced, splitters, with_splitters

STAGE = "pre-tokenizer"
SCHEMES = ("always", "first", "never")


def alter(description: Description) -> Iterator[Altered]:
    yield Altered("a space is put in front of the text", description, before=lambda text: " " + text)
    steps = splitters(description)
    for changed in each_replaced(steps, _byte_level):
        yield Altered(
            "ByteLevel takes add_prefix_space for its opposite", with_splitters(description, changed)
        )
    for scheme in SCHEMES:
        for changed in each_replaced(steps, lambda step, scheme=scheme: _metaspace(step, scheme)):  # type: ignore[misc]
            yield Altered(f"Metaspace's prepend_scheme is {scheme}", with_splitters(description, changed))
    for changed in each_replaced(steps, _whole):
        yield Altered("Metaspace takes split for its opposite", with_splitters(description, changed))


def _byte_level(step: Any) -> Iterator[Any]:
    if isinstance(step, ByteLevel):
        yield replace(step, add_prefix_space=not step.add_prefix_space)


def _metaspace(step: Any, scheme: str) -> Iterator[Any]:
    if isinstance(step, Metaspace) and step.prepend_scheme != scheme:
        yield replace(step, prepend_scheme=scheme)


def _whole(step: Any) -> Iterator[Any]:
    if isinstance(step, Metaspace):
        yield replace(step, pieces=not step.pieces)
