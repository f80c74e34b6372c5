"""A text under transformation that remembers where each of its characters came from.

This is what HF calls a NormalizedString, on characters instead of bytes: `spans[i]` is the range
of the *original* text (in characters) that `text[i]` stands for. Inserted characters share the
range of a neighbour or have an empty one; a range never cuts an original character, so characters
are enough (HF aligns bytes, but every byte of a character carries the whole character's range).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Tuple

Span = Tuple[int, int]


@dataclass(frozen=True)
class AlignedText:
    """`text`, one original range per character, and the original range of the whole piece."""

    text: str
    spans: Sequence[Span]
    origin: Span

    @classmethod
    def of(cls, text: str) -> AlignedText:
        """A text that has not been changed yet: character i stands for i..i+1."""
        return cls(text, [(i, i + 1) for i in range(len(text))], (0, len(text)))
