"""Added tokens are taken for ordinary text."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from tokassay.core.description import Description

from . import Altered

STAGE = "added tokens"


def alter(description: Description) -> Iterator[Altered]:
    tokens = description.added_tokens
    kinds = {
        "added tokens are not looked for in the text": (),
        "special tokens are not looked for in the text": tuple(t for t in tokens if not t.special),
        "added tokens that are not special are not looked for": tuple(t for t in tokens if t.special),
    }
    for cause, kept in kinds.items():
        if kept != tokens:
            yield Altered(cause, replace(description, added_tokens=kept))
