"""The decoder, or one step of it, is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterator

from tokassay.core.decoders.fuse import Fuse
from tokassay.core.decoders.sequence import Sequence
from tokassay.core.description import Description

from . import Altered

STAGE = "decoder"


def alter(description: Description) -> Iterator[Altered]:
    decoder = description.decoder
    if decoder is None:
        yield Altered("tokens are joined without a space", replace(description, decoder=Fuse()))
        return
    yield Altered(f"the decoder is not applied ({decoder.TYPE})", replace(description, decoder=Fuse()))
    yield Altered("tokens are joined by spaces, not by the decoder", replace(description, decoder=None))
    steps = decoder.decoders if isinstance(decoder, Sequence) else ()
    for place, step in enumerate(steps if len(steps) > 1 else ()):
        left = replace(description, decoder=Sequence(steps[:place] + steps[place + 1 :]))
        yield Altered(f"the decoder's step {place + 1} ({step.TYPE}) is not applied", left)
