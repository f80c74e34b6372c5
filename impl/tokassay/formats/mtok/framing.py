"""From a post-processor to the ids around one text (clause ``mtok.project.program``)."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

from ...core.description import AddedToken, PostProcessor
from ...core.errors import EncodeError, FormatError
from ...core.frame import frame_of

Ops = Tuple[Optional[int], ...]


def programmed(processor: Optional[PostProcessor]) -> Ops:
    """What a program would say: None is the text. Empty where nothing is added.

    FormatError for a template that names a token which it does not hold.
    """
    try:
        frame = frame_of(processor, pair=False, add_special_tokens=True)
    except EncodeError as error:
        raise FormatError(str(error), field="post_processor") from error
    ops = tuple(None if index == -1 else index for index in frame)
    return () if ops == (None,) else ops


def special_ids(added: Sequence[AddedToken]) -> Tuple[int, ...]:
    """The default of the first header list: ids of the special added tokens, in the file's order."""
    return tuple(token.id for token in added if token.special)
