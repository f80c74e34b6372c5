"""Special tokens around the text: doubled, missing, added without being asked for, or not skipped."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from tokassay.core.description import Description

from . import Altered

STAGE = "post-processor"


def alter(description: Description) -> Iterator[Altered]:
    yield Altered("special tokens are kept, although they were to be left out", description, special=True)
    yield Altered("special tokens are left out, although they were to be kept", description, special=False)
    if description.post_processor is None:
        return
    yield Altered("the post-processor is not applied", replace(description, post_processor=None))
    yield Altered("the first special token is doubled", description, after=lambda ids: ids[:1] + ids)
    yield Altered("the first special token is missing", description, after=lambda ids: ids[1:])
    yield Altered("the last special token is missing", description, after=lambda ids: ids[:-1])
    yield Altered("the last special token is doubled", description, after=lambda ids: ids + ids[-1:])
