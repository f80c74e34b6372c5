"""The tokenizer façade (being built)."""
from __future__ import annotations
class Tokenizer:
    """Placeholder until the pipeline lands."""
