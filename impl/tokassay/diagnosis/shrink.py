"""Make a failing text small: greedy delta debugging on characters."""

from __future__ import annotations

from typing import Callable

MOST_TRIES = 4000


def shrink(text: str, fails: Callable[[str], bool], tries: int = MOST_TRIES) -> str:
    """A text that still fails and of which no single character can be dropped (unless `tries` ran out).

    `fails` has to be true for `text` itself. Chunks are dropped from the largest to the smallest, and the
    whole is repeated until a round of single characters drops nothing.
    """
    size = max(1, len(text) // 2)
    while tries > 0:
        shorter, used = _without_chunks(text, size, fails, tries)
        tries -= used
        if size == 1 and shorter == text:
            break
        text, size = shorter, max(1, min(size // 2, len(shorter) // 2))
    return text


def _without_chunks(text: str, size: int, fails: Callable[[str], bool], tries: int) -> tuple[str, int]:
    start = used = 0
    while start < len(text) and used < tries:
        candidate = text[:start] + text[start + size :]
        used += 1
        if candidate != text and fails(candidate):
            text = candidate
        else:
            start += size
    return text, used
