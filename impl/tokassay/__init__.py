"""tokassay: the proof that a tokenizer is exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .core.errors import FormatError, PatternError, TextError, TokassayError, UnsupportedError

if TYPE_CHECKING:
    from .core.tokenizer import Tokenizer

__version__ = "0.1.0"
__all__ = [
    "FormatError",
    "PatternError",
    "TextError",
    "TokassayError",
    "Tokenizer",
    "UnsupportedError",
    "__version__",
]


def __getattr__(name: str) -> object:
    """`Tokenizer`, when it is first asked for: a small board waits for it, and not every command needs it."""
    if name != "Tokenizer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .core.tokenizer import Tokenizer  # noqa: PLC0415 - see above

    globals()[name] = Tokenizer
    return Tokenizer
