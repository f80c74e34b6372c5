"""The two large constructed tokenizers, made on demand: all 65,536 pairs of bytes merge. Each is a recipe."""

from __future__ import annotations

from constructed import pairs_over
from tokenizers import Tokenizer


def every_pair_ascending() -> Tokenizer:
    """Every pair of all 256 bytes merges, in ascending order, after GPT-2's expression."""
    return pairs_over(range(256), False)


def every_pair_descending() -> Tokenizer:
    """Every pair of all 256 bytes merges, in descending order, after GPT-2's expression."""
    return pairs_over(range(256), True)
