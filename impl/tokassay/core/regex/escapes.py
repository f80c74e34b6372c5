r"""Backslash escapes that stand for characters or sets, in classes and outside.

An escape gives a character (``str``) or a set (`Ranges`). Clauses ``regex.escape.*``.
"""

from __future__ import annotations

import re
from typing import Union

from ..errors import PatternError
from ..unicode import properties
from ..unicode.ranges import ASCII, Ranges, complement, intersection
from ..unicode.tables import ranges
from .source import Source

Meaning = Union[str, Ranges]

Narrow = str
"""The options in force of W, D, S and P."""

HEX = "0123456789abcdefABCDEF"
OCTAL = "01234567"
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_ANY_NAME = "alnum alpha blank cntrl graph lower print upper xdigit posixpunct"
_NARROWED = {"word": "W", "digit": "D", "space": "S", **dict.fromkeys(_ANY_NAME.split(), "P")}
_BYTE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-3][0-7]{0,2}))")
_SETS = {"d": "onig.Nd", "s": "white_space", "h": "hex"}


def read_escape(source: Source, in_class: bool, narrow: Narrow = "") -> Meaning:
    r"""The meaning of an escape whose ``\`` was read; anchors and references are the caller's.

    `narrow` says which named sets hold ASCII alone.
    """
    start = source.at - 1
    letter = source.take()
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter.lower() in _SETS and letter.isascii():
        name = {"d": "digit", "s": "space"}.get(letter.lower(), "")
        return _signed(narrowed(ranges(_SETS[letter.lower()]), name, narrow), letter.isupper())
    if letter in "wW":
        found = ranges("onig.word.class" if in_class else "onig.word.bare")
        return _signed(narrowed(found, "word", narrow), letter == "W")
    if letter in "pP" and source.peek() == "{":
        return _property(source, start, in_class, letter == "P", narrow)
    if letter in "xu":
        return _code_point(source, letter, start, in_class)
    if letter in OCTAL:
        return _octal(source, letter, start, in_class)
    if letter == "c" or (letter in "CM" and source.peek() == "-"):
        return _control(source, letter, start)
    if letter == "o" and source.peek() == "{":
        return _octal_point(source, start)
    return letter


def _control(source: Source, letter: str, start: int) -> str:
    if letter != "c":
        source.take()
    char = source.take()
    if letter == "M" or char == "\\" or not char.isascii():
        raise source.refused("this control escape is not supported", start)
    return "\x7f" if char == "?" else chr(ord(char) & 0x9F)


def _octal_point(source: Source, start: int) -> str:
    end = source.text.find("}", source.at)
    digits = source.text[source.at + 1 : end] if end >= 0 else ""
    if not digits or not set(digits) <= set(OCTAL) or len(digits) > 11:
        raise source.refused(r"\o{ with this inside is not supported", start)
    source.at = end + 1
    return _character(source, int(digits, 8), start)


def _signed(found: Ranges, negative: bool) -> Ranges:
    return complement(found) if negative else found


def narrowed(found: Ranges, name: str, narrow: Narrow) -> Ranges:
    """A named set under the options W, D, S and P (clause ``regex.syntax.narrow``)."""
    applies = name in _NARROWED and ("P" in narrow or _NARROWED[name] in narrow)
    return intersection(found, ASCII) if applies else found


def _property(source: Source, start: int, in_class: bool, negative: bool, narrow: Narrow) -> Ranges:
    source.take()
    name = source.until("}")
    if name.startswith("^"):
        negative, name = not negative, name[1:]
    found = properties.find(name)
    if found is None:
        raise source.invalid(f"there is no property {name!r}", start)
    known = properties.normalized(name)
    if in_class and known == "word":
        found = properties.word_class()
    return _signed(narrowed(found, known, narrow), negative)


def _code_point(source: Source, letter: str, start: int, in_class: bool) -> str:
    if letter == "u":
        digits = source.digits(HEX, 4)
        if len(digits) < 4:
            raise source.invalid(r"\u takes four hexadecimal digits", start)
        return _character(source, int(digits, 16), start)
    if source.peek() == "{":
        return _braced(source, start)
    digits = source.digits(HEX, 2)
    return _byte(source, int(digits or "0", 16), start, in_class)


def _braced(source: Source, start: int) -> str:
    end = source.text.find("}", source.at)
    body = source.text[source.at + 1 : end] if end >= 0 else ""
    digits = body.split()
    if (
        not body
        or not set(body) <= set(HEX + " \n")
        or body != body.strip()
        or any(len(d) > 8 for d in digits)
    ):
        if body[:1] and body[:1] in HEX:
            raise source.refused(r"\x{ with this inside is not supported", start)
        return "x"
    source.at = end + 1
    return "".join(_character(source, int(one, 16), start) for one in digits)


def _character(source: Source, point: int, start: int) -> str:
    if point > 0x10FFFF:
        raise source.refused("a code point beyond Unicode", start)
    return chr(point)


def _octal(source: Source, first: str, start: int, in_class: bool) -> str:
    value = int(first + source.digits(OCTAL, 2), 8)
    if value > 0xFF and in_class:
        raise source.invalid("an octal escape above a byte", start)
    return _byte(source, value & 0xFF, start, in_class)


def _byte(source: Source, value: int, start: int, in_class: bool) -> str:
    """A byte below 0x80 is a character; one above begins one, whose other bytes are escapes, too."""
    data = bytes((value,))
    while True:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data":
                raise _no_character(source, data[0], start, in_class) from None
        following = _BYTE.match(source.text, source.at)
        if following is None:
            raise source.invalid("a byte that is only a part of a character", start)
        data += bytes((_value(*following.groups(default="")),))
        source.at = following.end()


def _no_character(source: Source, first: int, start: int, in_class: bool) -> PatternError:
    """The oracle takes bytes that begin no character where they can stand by themselves: none matches."""
    if first < 0xC0 and not in_class:
        return source.invalid("a byte that is only a part of a character", start)
    return source.refused("bytes that are no UTF-8", start)


def _value(hexadecimal: str, octal: str) -> int:
    return int(hexadecimal, 16) if hexadecimal else int(octal, 8)
