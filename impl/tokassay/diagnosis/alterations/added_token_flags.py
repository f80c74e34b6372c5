"""A flag of the added tokens is ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Iterator

from tokassay.core.description import Description

from . import Altered

STAGE = "added tokens"
FLAGS: Dict[str, Dict[str, Any]] = {
    "lstrip and rstrip of added tokens are ignored": {"lstrip": False, "rstrip": False},
    "lstrip of added tokens is ignored": {"lstrip": False},
    "rstrip of added tokens is ignored": {"rstrip": False},
    "single_word of added tokens is ignored": {"single_word": False},
    "added tokens are looked for before the text is normalized, all of them": {"normalized": False},
    "added tokens are looked for after the text is normalized, all of them": {"normalized": True},
}


def alter(description: Description) -> Iterator[Altered]:
    for cause, flags in FLAGS.items():
        tokens = tuple(replace(token, **flags) for token in description.added_tokens)
        if tokens != description.added_tokens:
            yield Altered(cause, replace(description, added_tokens=tokens))
