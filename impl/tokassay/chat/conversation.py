"""Messages, tools and documents as a template sees them: plain JSON values (``chat.conversation``)."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .errors import ConversationError
from .tools import schema_of

Message = Dict[str, Any]
REASONING = ("reasoning_content", "thinking", "reasoning")
"""The names under which a message's reasoning is given; the first is what templates read."""


def messages_of(given: Any) -> List[Message]:
    """A conversation's messages: fresh dictionaries without fields that are None, reasoning under every name.

    A single text is one message of the user (``chat.short-form``). Raises ConversationError.
    """
    values = (
        [{"role": "user", "content": given}] if isinstance(given, str) else getattr(given, "messages", given)
    )
    if not isinstance(values, (list, tuple)):
        raise ConversationError(
            f"messages must be a list of messages or one text, not {type(given).__name__}"
        )
    if not values:
        raise ConversationError("the conversation is empty: give at least one message")
    return [_message(value, number) for number, value in enumerate(values)]


def _message(value: Any, number: int) -> Message:
    known = value if type(value) is dict else plain(value)
    if not isinstance(known, dict):
        raise ConversationError(
            f"message {number} must be an object with role and content, not {value!r:.80}"
        )
    message = {
        plain(name): field if type(field) is str else plain(field)
        for name, field in known.items()
        if field is not None
    }
    return message if message.keys().isdisjoint(REASONING) else _with_reasoning(message)


def _with_reasoning(message: Message) -> Message:
    """Under the first two names, whichever it was given under."""
    reasoning = next(message[name] for name in REASONING if name in message)
    return {"thinking": reasoning, **message, "reasoning_content": reasoning}


def tools_of(given: Optional[Sequence[Any]]) -> Optional[List[Any]]:
    """Tools as JSON schemas; functions are described from their hints and docstrings."""
    if given is None:
        return None
    _check_list(given, "tools")
    return [plain(tool if isinstance(tool, dict) else schema_of(tool)) for tool in given]


def _check_list(given: Any, name: str) -> None:
    if not isinstance(given, (list, tuple)):
        raise ConversationError(f"{name} must be a list, not {type(given).__name__}")


def documents_of(given: Optional[Sequence[Any]]) -> Optional[List[Any]]:
    """Documents, each an object."""
    if given is None:
        return None
    _check_list(given, "documents")
    for number, document in enumerate(given):
        if not isinstance(document, dict):
            raise ConversationError(f"document {number} must be an object with title and text")
    return [plain(document) for document in given]


SCALARS = frozenset((str, int, float, bool, type(None)))


def plain(value: Any) -> Any:
    """JSON types only: a template must not get hold of objects with methods of their own."""
    kind = type(value)
    if kind in SCALARS:
        return value
    if kind is dict or isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    for base in (str, int, float):
        if isinstance(value, base):
            return base(base.__str__(value) if base is str else value)
    if isinstance(value, (list, tuple)):
        items = [plain(item) for item in value]
        return items if isinstance(value, list) else tuple(items)
    return _of_object(value)


def _of_object(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name)) for field in fields}
    if callable(getattr(value, "model_dump", None)):
        return plain(value.model_dump())
    return f"<{type(value).__name__}>"
