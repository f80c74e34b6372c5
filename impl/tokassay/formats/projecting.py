"""What a format can hold of a description (contract: `formats.project`, `formats.losses`)."""

from __future__ import annotations

import contextlib
from typing import Any, List, Optional

from ..core.description import Description
from ..core.errors import FormatError
from .codec import named
from .losing import Loss, shown


def project(description: Description, target: str, **options: object) -> Description:
    """The nearest description that the format `target` holds. Reading back what was written equals it.

    `options` are the codec's own (``table_version`` of mtok). A codec without a projection holds what it
    can write, and nothing else.

    Raises:
        FormatError: it holds nothing near.
    """
    codec: Any = named(target)
    if hasattr(codec, "project"):
        held: Description = codec.project(description, **options)
    else:
        held = codec.parse(codec.serialize(description))
    return held


def losses(description: Description, target: str, **options: object) -> List[Loss]:
    """What `project` changes, each with a text whose ids change, where the search found one."""
    codec: Any = named(target)
    held: Optional[Description] = None
    if hasattr(codec, "missing"):
        missing = list(codec.missing(description))
        with contextlib.suppress(FormatError):
            held = project(description, target, **options) if missing else None
        return shown(missing, description, held)
    try:
        codec.serialize(description)
    except FormatError as error:
        return [Loss(error.field or "", error.reason)]
    return []
