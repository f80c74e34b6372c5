"""Texts that no tokenizer can take, found before anything else happens (clauses ``encoding.text.*``)."""

from __future__ import annotations

from .arguments import bytes_of, refuse_text
from .errors import TextError


def check_text(text: str) -> None:
    """Nothing for a proper text.

    Raises:
        TextError: with the position (in characters) of the first lone surrogate.
        TypeError: it is no text.
    """
    if not isinstance(text, str):
        refuse_text(text)
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise TextError(f"lone surrogate U+{code:04X}", position=error.start) from None


def text_of(data: bytes, invalid: str) -> str:
    """The text of UTF-8 bytes.

    Args:
        data: the bytes; a byte order mark is a character like any other.
        invalid: ``replace`` puts one U+FFFD for every maximal invalid part, ``reject`` refuses.

    Raises:
        TextError: with the position (in bytes) of the first invalid part, when it is to be refused.
        TypeError: it is a text already, or no bytes at all.
        ValueError: there is no such policy.
    """
    if invalid not in ("replace", "reject"):
        raise ValueError(f"invalid must be 'replace' or 'reject', not {invalid!r}")
    try:
        return bytes_of(data).decode("utf-8", "replace" if invalid == "replace" else "strict")
    except UnicodeDecodeError as error:
        raise TextError("invalid UTF-8", position=error.start) from None
