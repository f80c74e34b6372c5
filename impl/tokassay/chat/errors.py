"""What can go wrong with a chat template."""

from __future__ import annotations

from typing import Optional

from tokassay.core.errors import TokassayError


class TemplateError(TokassayError):
    """A template that cannot be read, or that ended in an error.

    Attributes:
        reason: what happened.
        path: the template's file or name, "" where it was given as text.
        line: 1-based, None where it is not known.
        column: 1-based, None where it is not known.
    """

    def __init__(
        self, reason: str, *, path: str = "", line: Optional[int] = None, column: Optional[int] = None
    ) -> None:
        self.reason, self.path, self.line, self.column = reason, path, line, column
        place = ":".join(str(part) for part in (path or "chat template", line, column) if part is not None)
        super().__init__(f"{place}: {reason}")


class RaisedError(TemplateError):
    """The template's own complaint about a conversation (`raise_exception`)."""


class LimitError(TemplateError):
    """The template did more than a limit allows (``chat.limits``)."""


class ConversationError(TokassayError, ValueError):
    """Messages, tools or documents that are none; says which one and what belongs there."""
