"""How large the result of an operation can be, told from its operands before it is made (``chat.limits``).

Only what can be much larger than its operands is here: repetition, replacement, joining, padding, powers.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

LIPSUM_WORDS = 100  # the most in a paragraph, when nobody says
WORD = 16
DIGITS = 100  # a bit of a long number weighs this much: arithmetic with it costs more than its digits


def length(value: Any) -> int:
    """Characters or items; 0 for what has none."""
    return len(value) if isinstance(value, (str, list, tuple, dict)) else 0


def repeated(left: Any, right: Any) -> int:
    """The ``*`` operator: of numbers the digits, of a text or list and a number the elements."""
    if isinstance(left, int) and isinstance(right, int):
        return (left.bit_length() + right.bit_length()) * DIGITS
    count, value = (left, right) if isinstance(left, int) else (right, left)
    return length(value) * max(0, count) if isinstance(count, int) else 0


def power(base: Any, exponent: Any) -> int:
    """The ``**`` operator: digits."""
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 0:
        return base.bit_length() * exponent * DIGITS
    return 0


def padded(form: Any) -> int:
    """A format: the largest number in it, which may be a width."""
    digits = "".join(char if char.isascii() and char.isdecimal() else " " for char in str(form)).split()
    return max((int(number[:20]) for number in digits), default=0)


def replaced(text: Any, old: Any, new: Any, *_: Any) -> int:
    """``replace``, the method and the filter."""
    text, old = str(text), str(old)
    times = text.count(old) if old else len(text) + 1
    return len(text) + times * length(str(new))


def joined(between: Any, items: Any) -> int:
    """``join``, the method and the filter."""
    known = items if isinstance(items, (list, tuple)) else ()
    return sum(map(length, known)) + length(between) * len(known)


def _number(value: Any) -> int:
    return abs(value) if isinstance(value, int) else 0


METHODS: Mapping[str, Callable[..., int]] = {
    "replace": replaced,
    "join": joined,
    "center": lambda _, width=0, *__: _number(width),
    "ljust": lambda _, width=0, *__: _number(width),
    "rjust": lambda _, width=0, *__: _number(width),
    "zfill": lambda _, width=0: _number(width),
    "expandtabs": lambda text, width=8: text.count("\t") * _number(width),
}
"""Methods of a text, by name: the text and the arguments."""

FILTERS: Mapping[str, Callable[..., int]] = {
    "replace": replaced,
    "join": lambda items, between="", *_, **__: joined(between, items),
    "center": lambda _, width=80: _number(width),
    "indent": lambda text, width=4, *_, **__: _number(width) * (str(text).count("\n") + 1),
    "wordwrap": lambda text, *_, wrapstring="\n", **__: len(str(text)) * (length(wrapstring) + 1),
    "batch": lambda _, count, *__, **___: _number(count),
    "slice": lambda _, count, *__, **___: _number(count),
    "format": lambda form, *_, **__: padded(form),
    "tojson": lambda _, *__, indent=None, **___: _number(indent) * 64,
}
"""Filters by name: what is filtered and the arguments."""


def paragraphs(n: Any = 5, html: Any = True, min: Any = 20, max: Any = LIPSUM_WORDS) -> int:  # noqa: A002, ARG001
    """``lipsum``."""
    return _number(n) * _number(max) * WORD


def of_method(text: str, name: str, arguments: Sequence[Any], options: Mapping[str, Any]) -> int:
    """A call of a text's own method; 0 for what is none, or for arguments that it will refuse itself."""
    if name not in METHODS:
        return 0
    try:
        return METHODS[name](text, *arguments, **options)
    except TypeError:
        return 0
