"""Characters that the vocabulary lacks: dropped, joined or spelled in bytes in another way."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any, Iterator, List, Optional

from tokassay.core.description import Description

from . import Altered

STAGE = "model"
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")


def alter(description: Description) -> Iterator[Altered]:
    model: Any = description.model
    unknown = _unknown(model)
    if unknown is not None:
        yield Altered(
            "unknown characters are dropped", description, after=lambda ids: [i for i in ids if i != unknown]
        )
        yield Altered(
            "neighbouring unknowns become one", description, after=lambda ids: _joined(ids, unknown)
        )
    if getattr(model, "byte_fallback", False):
        yield Altered(
            "the bytes of byte_fallback come in reverse", description, after=lambda ids: _turned(ids, model)
        )


def _unknown(model: Any) -> Optional[int]:
    if getattr(model, "unk_token", None) is not None:
        return model.token_to_id(model.unk_token)  # type: ignore[no-any-return]
    return getattr(model, "unk_id", None)


def _joined(ids: List[int], unknown: int) -> List[int]:
    return [i for place, i in enumerate(ids) if i != unknown or place == 0 or ids[place - 1] != unknown]


def _turned(ids: List[int], model: Any) -> List[int]:
    def is_byte(index: int) -> bool:
        return bool(_BYTE.fullmatch(model.id_to_token(index) or ""))

    runs = ((spelled, list(run)) for spelled, run in groupby(ids, is_byte))
    return [index for spelled, run in runs for index in (reversed(run) if spelled else run)]
