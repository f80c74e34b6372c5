"""When the ids of a text cannot be had from bare strings, and what each segment's start stands for.

Two properties of a normalizer decide it:

`anchored`: the first character that it gives stands for the first character that it got. Where it does
not hold (`Strip`), only the alignment tells whether a segment still begins the original text, which
`Metaspace` with ``prepend_scheme: first`` asks (clause ``pretok.metaspace.first``).

`unmoored`: it can put characters at the start that stand for nothing. Later changes of the same text
then go wrong in the oracle, in ways that depend on the alignment (clause ``align.reach``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .description import Normalizer, PreTokenizer


def is_unmoored(normalizer: Optional[Normalizer]) -> bool:
    return bool(getattr(normalizer, "unmoored", False))


def is_anchored(normalizer: Optional[Normalizer]) -> bool:
    return normalizer is None or bool(getattr(normalizer, "anchored", False))


def is_positional(pre_tokenizer: Optional[PreTokenizer]) -> bool:
    """Whether its pieces depend on the piece being the start of the original text."""
    return bool(getattr(pre_tokenizer, "positional", False))


def must_align(normalizer: Optional[Normalizer], pre_tokenizer: Optional[PreTokenizer]) -> bool:
    """Whether ids have to come from the aligned path: strings alone would not always be exact."""
    if normalizer is None:
        return False
    return is_unmoored(normalizer) or bool(getattr(pre_tokenizer, "looks_back", False))
