"""Oniguruma's regular expressions, as the oracle uses them, on Python's `re`.

`compile_pattern` parses Oniguruma's syntax, spells every set out at Unicode 16.0 and gives a
`Pattern`; what cannot be translated exactly is refused. Clauses ``regex.*``.
"""

from __future__ import annotations

from .compiling import compile_literal, compile_pattern
from .pattern import Pattern

__all__ = ["Pattern", "compile_literal", "compile_pattern"]
