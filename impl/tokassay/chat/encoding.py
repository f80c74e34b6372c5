"""`encode`: the prompt's ids, and which of them the assistant wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Tuple

from tokassay.core.tokenizer import Tokenizer

from .rendering import rendered


@dataclass(frozen=True)
class Prompt:
    """A rendered conversation as ids.

    Attributes:
        text: what was encoded.
        ids: without the special tokens that the post-processor would put around, since the template writes
            them itself (``chat.encode.bos``).
        assistant: for each id 1 where it holds text of a ``generation`` block, else 0.
    """

    text: str
    ids: Tuple[int, ...]
    assistant: Tuple[int, ...]


def encode(
    tokenizer: Tokenizer,
    template: str,
    messages: Any,
    tools: Any = None,
    add_generation_prompt: bool = False,
    *,
    documents: Any = None,
    continue_final_message: Any = False,
    **variables: Any,
) -> Prompt:
    """`render`, then encode; its options and errors are those of `render`."""
    limits = {name: variables.pop(name) for name in ("clock", "limits", "path") if name in variables}
    given = {
        "tools": tools,
        "documents": documents,
        "add_generation_prompt": add_generation_prompt,
        **variables,
    }
    found = rendered(template, messages, given, continue_final_message=continue_final_message, **limits)
    encoded = tokenizer.encode(found.text, add_special_tokens=False)
    mask = _mask(encoded.offsets, found.spans) if found.spans else (0,) * len(encoded.ids)
    return Prompt(found.text, tuple(encoded.ids), mask)


def _mask(offsets: Any, spans: Tuple[Tuple[int, int], ...]) -> Tuple[int, ...]:
    """A token counts when it shares a character with a span; both are in order (``chat.encode.mask``)."""
    found, left = [], list(spans)
    for start, end in offsets:
        while left and start >= left[0][1]:
            left.pop(0)
        found.append(int(bool(left) and end > left[0][0]))
    return tuple(found)
