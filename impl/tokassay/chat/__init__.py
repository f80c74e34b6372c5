"""Chat templates: a conversation to the text (and ids) that the model sees, as transformers renders it."""

from __future__ import annotations

from .conversation import messages_of
from .encoding import Prompt, encode
from .errors import ConversationError, LimitError, RaisedError, TemplateError
from .limits import Limits
from .rendering import Rendered, render, rendered
from .sources import Templates, read

__all__ = [
    "ConversationError",
    "LimitError",
    "Limits",
    "Prompt",
    "RaisedError",
    "Rendered",
    "TemplateError",
    "Templates",
    "encode",
    "messages_of",
    "read",
    "render",
    "rendered",
]
