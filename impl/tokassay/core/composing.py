"""Unicode normalization of aligned texts. Clauses ``norm.nfc`` to ``norm.nfkd``."""

from __future__ import annotations

from .aligned import AlignedText
from .unicode.normalization import changes


def normalized(form: str, text: AlignedText) -> AlignedText:
    """`form` is NFC, NFD, NFKC or NFKD."""
    if text.text.isascii():
        return text.changed(text.text)
    return text.transform(changes(form, text.text))
