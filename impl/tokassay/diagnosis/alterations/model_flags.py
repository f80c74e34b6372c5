"""A flag of the model is ignored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, Iterator

from tokassay.core.description import Description
from tokassay.core.errors import TokassayError

from . import Altered

STAGE = "model"
OTHERS: Dict[str, Any] = {
    "ignore_merges": None,
    "byte_fallback": None,
    "fuse_unk": None,
    "continuing_subword_prefix": "",
    "end_of_word_suffix": None,
    "max_input_chars_per_word": 10**9,
    "unk_token": None,
}


def alter(description: Description) -> Iterator[Altered]:
    model: Any = description.model
    for name, other in OTHERS.items():
        value = getattr(model, name, other)
        changed = not value if isinstance(value, bool) else other
        if value == changed or (isinstance(changed, int) and name == "fuse_unk" and not model.unk_token):
            continue
        try:
            altered = replace(description, model=replace(model, **{name: changed}))
        except (TokassayError, TypeError):
            continue
        cause = "is ignored" if not isinstance(value, bool) or value else "acts although it is off"
        yield Altered(f"{name} {cause}", altered)
