"""Unicode normalization of aligned texts. Clauses ``norm.nfc`` to ``norm.nfkd``."""

from __future__ import annotations

from .aligned import AlignedText
from .unicode.normalization import Form, changes


def normalized(form: Form, text: AlignedText) -> AlignedText:
    """The text in one of the four forms."""
    if text.text.isascii():
        return text.changed(text.text)
    return text.transform(changes(form, text.text))
