"""The clean-up of English punctuation that WordPiece and CTC share (``decode.wordpiece.cleanup``)."""

from __future__ import annotations

from .stages import Chain, Replacing, Stage

# One after the other over one token, in this order.
_REPLACEMENTS = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def clean_up(token: str) -> str:
    """One token without the blanks that splitting English text leaves behind."""
    for old, new in _REPLACEMENTS:
        token = token.replace(old, new)
    return token


def cleaning() -> Stage:
    """The same on one growing token."""
    return Chain([Replacing(old, new) for old, new in _REPLACEMENTS])
