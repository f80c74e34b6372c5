"""How large the result of an operation can be, told from its operands before it is made (``chat.limits``).

Only what can be much larger than its operands is here: repetition, replacement, joining, padding, formats,
powers, and what cuts a text into a list. An item of a list weighs as much as `ITEM` characters.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, List, Mapping, NamedTuple, Sequence

LIPSUM_WORDS = 100  # the most in a paragraph, when nobody says
WORD = 16
ITEM = 32
DIGITS = 1000  # a bit of a long number weighs this much: arithmetic with it costs more than its digits
SLOW = 16  # a character for filters that look at each one in Python or with several patterns


class Weight(NamedTuple):
    """Of a value with all that it holds, each thing counted wherever it stands."""

    items: int
    characters: int
    depth: int


def weight(value: Any, most: int = 1 << 62) -> Weight:
    """Items, characters and nesting of a value; counting ends where there are more than `most` items."""
    items = characters = 0
    level: List[Any] = [value]
    depth = 0
    while level and items <= most:
        below: List[Any] = []
        for one in level:
            if isinstance(one, str):
                characters += len(one)
            elif isinstance(one, (list, tuple, dict)):
                items += len(one)
                below += [*one, *one.values()] if isinstance(one, dict) else one
                if items > most:
                    break
        depth += bool(below)
        level = below
    return Weight(items, characters, depth)


def total(value: Any) -> int:
    """Characters of a value when it is written, more or less."""
    if isinstance(value, str):
        return len(value)
    found = weight(value)
    return found.characters + found.items * 2


def length(value: Any) -> int:
    """Characters, or items by weight; 0 for what has none."""
    if isinstance(value, str):
        return len(value)
    return len(value) * ITEM if isinstance(value, (list, tuple, dict)) else 0


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


def formatted(form: Any, values: Iterable[Any]) -> int:
    """A format: widths, and as many times the largest value as there are places; nested widths are values."""
    text, given = str(form), list(values)
    digits = "".join(char if char.isascii() and char.isdecimal() else " " for char in text).split()
    nested = "*" in text or any("}" not in part for part in text.split("{")[1:])
    widths = sum(int(number[:20]) for number in digits) + nested * sum(map(_number, given))
    return widths + (text.count("%") + text.count("{")) * max(map(total, given), default=0)


def percent(form: Any, values: Any) -> int:
    """The ``%`` operator: a format, where the left side is a text."""
    return formatted(form, values if isinstance(values, tuple) else [values]) if isinstance(form, str) else 0


def replaced(text: Any, old: Any, new: Any, *_: Any) -> int:
    """``replace``, the method and the filter."""
    text, old = str(text), str(old)
    times = text.count(old) if old else len(text) + 1
    return len(text) + times * len(str(new))


def joined(between: Any, items: Any) -> int:
    """``join``, the method and the filter."""
    return total(items) + length(between) * (len(items) if isinstance(items, (list, tuple, dict, str)) else 0)


def split(text: str, separator: Any = None, *_: Any) -> int:
    """Items of a text that is cut."""
    pieces = text.count(separator) if isinstance(separator, str) and separator else len(text) // 2
    return (pieces + 1) * ITEM


def _number(value: Any) -> int:
    return abs(value) if isinstance(value, int) else 0


def _indented(value: Any, *_: Any, indent: Any = None, **__: Any) -> int:
    found = weight(value)
    return (found.items + 1) * (found.depth + 1) * (_number(indent) + length(indent)) + found.characters


METHODS: Mapping[str, Callable[..., int]] = {
    "replace": replaced,
    "join": joined,
    "split": split,
    "rsplit": split,
    "splitlines": lambda text, *_: len(text) // 2 * ITEM,
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
    "indent": lambda text, width=4, *_, **__: (_number(width) + length(width)) * (str(text).count("\n") + 1),
    "wordwrap": lambda text, *_, wrapstring="\n", **__: len(str(text)) * (length(wrapstring) + SLOW),
    "urlize": lambda text, *_, **__: len(str(text)) * SLOW,
    "striptags": lambda text, *_, **__: len(str(text)) * SLOW,
    "title": lambda text, *_, **__: len(str(text)) * SLOW,
    "wordcount": lambda text, *_, **__: len(str(text)) * SLOW,
    "pprint": lambda value, *_, **__: total(value) * SLOW + weight(value).items * ITEM * SLOW,
    "list": lambda value: ITEM * (len(value) if isinstance(value, (str, list, tuple, dict)) else 0),
    "batch": lambda _, count, *__, **___: _number(count) * ITEM,
    "slice": lambda _, count, *__, **___: _number(count) * ITEM,
    "format": lambda form, *values, **named: formatted(form, [*values, *named.values()]),
    "int": lambda value, *_, **__: length(value) * DIGITS,
    "tojson": _indented,
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
