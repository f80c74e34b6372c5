"""The reference with one thing altered: what answers like an engine says what is likely wrong with it.

An alteration is a module of this package with ``STAGE`` (where it is), and ``alter(description)``, which
gives every `Altered` that it can make of a tokenizer; its slug is the module's name. An alteration that
changes nothing in a tokenizer gives nothing.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from typing import Callable, Iterator, List, Optional, Sequence, Tuple

from tokassay.core.description import Description

Spans = List[Tuple[int, int]]


def _same(value: str) -> str:
    return value


def _same_ids(ids: List[int]) -> List[int]:
    return ids


def _same_spans(_text: str, spans: Spans) -> Spans:
    return spans


@dataclass(frozen=True)
class Altered:
    """A changed description, or the same one with its input or output changed.

    Attributes:
        cause: the alteration as the likely cause, in one line.
        before: what becomes of a text before it is encoded.
        after: what becomes of the ids that come out.
        shown: what becomes of a decoded text.
        spans: what becomes of offsets.
        special: special tokens are added (or kept, when decoding) whatever was asked for.
    """

    cause: str
    description: Description
    before: Callable[[str], str] = _same
    after: Callable[[List[int]], List[int]] = _same_ids
    shown: Callable[[str], str] = _same
    spans: Callable[[str, Spans], Spans] = _same_spans
    special: Optional[bool] = None


@dataclass(frozen=True)
class Alteration:
    """One module of the catalogue."""

    code: str
    stage: str
    alter: Callable[[Description], Iterator[Altered]]


@lru_cache(maxsize=1)
def catalogue() -> Sequence[Alteration]:
    """Every alteration, in the order of their names."""
    found = []
    for info in pkgutil.iter_modules(__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{__name__}.{info.name}")
            found.append(Alteration(info.name.replace("_", "-"), module.STAGE, module.alter))
    return found
