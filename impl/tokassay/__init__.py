"""tokassay: the proof that a tokenizer is exact."""

from __future__ import annotations

from .core.errors import FormatError, PatternError, TextError, TokassayError, UnsupportedError
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
