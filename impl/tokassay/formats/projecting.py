"""What a format can hold of a description (contract: `formats.project`, `formats.losses`)."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any, Iterator, List, Optional

from ..core.description import Description
from ..core.errors import FormatError
from ..core.models.bpe import BPE
from .codec import named
from .losing import Loss, Missing, shown
from .partial import NO_MODEL

PARTS = ("normalizer", "pre_tokenizer", "model", "post_processor", "decoder", "added_tokens")
"""What `missing` of a codec is made from where it says nothing itself."""


def project(description: Description, target: str, **options: object) -> Description:
    """The nearest description that the format `target` holds. Reading back what was written equals it.

    `options` are the codec's own (``table_version`` of mtok). A codec without a projection holds what it
    can write, and nothing else.

    Raises:
        FormatError: it holds nothing near.
    """
    codec: Any = named(target)
    if not hasattr(codec, "project"):
        read: Description = codec.parse(codec.serialize(description))
        return read
    held: Description = codec.project(description, **options)
    codec.serialize(held)  # a token that is too long, a line feed in a line: only writing tells
    return held


def losses(description: Description, target: str, **options: object) -> List[Loss]:
    """What `project` changes, each with a text whose ids change, where the search found one."""
    codec: Any = named(target)
    try:
        held, refusal = project(description, target, **options), None
    except FormatError as error:
        held, refusal = None, error
    missing = list(codec.missing(description) if hasattr(codec, "missing") else _missing(description, held))
    if not missing and refusal is not None:
        missing = [Missing(refusal.field or "", refusal.reason)]
    if refusal is not None and len(missing) > 1:
        held = _without_model(description, target, **options)
    return list(shown(missing, description, held))


def _without_model(description: Description, target: str, **options: object) -> Optional[Description]:
    """What is held of the other parts, where there is nothing near the model."""
    with contextlib.suppress(FormatError):
        held = project(replace(description, model=BPE({}, ())), target, **options)
        return replace(held, model=NO_MODEL)
    return None


def _missing(description: Description, held: Optional[Description]) -> Iterator[Missing]:
    """Part by part what is not the same."""
    for name in PARTS:
        part = getattr(description, name)
        if held is not None and part != getattr(held, name):
            yield Missing(name, f"{getattr(part, 'TYPE', 'what there is')} is not kept as it is")
