r"""Backslash escapes that stand for characters or sets, in classes and outside.

An escape gives a character (``str``) or a set (`Ranges`). Clauses ``regex.escape.*``.
"""

from __future__ import annotations

from typing import List, Union

from ..unicode import properties
from ..unicode.ranges import Ranges, complement
from ..unicode.tables import ranges
from .source import Source

Meaning = Union[str, Ranges]

HEX = "0123456789abcdefABCDEF"
OCTAL = "01234567"
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_SETS = {"d": "onig.Nd", "s": "white_space", "h": "hex"}


def read_escape(source: Source, in_class: bool) -> Meaning:
    r"""The meaning of an escape whose ``\`` was read; anchors and references are the caller's."""
    start = source.at - 1
    letter = source.take()
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter.lower() in _SETS and letter.isascii():
        return _signed(ranges(_SETS[letter.lower()]), letter.isupper())
    if letter in "wW":
        return _signed(ranges("onig.word.class" if in_class else "onig.word.bare"), letter == "W")
    if letter in "pP" and source.peek() == "{":
        return _property(source, start, in_class, letter == "P")
    if letter in "xu":
        return _code_point(source, letter, start)
    if letter in OCTAL:
        return _octal(source, letter, start)
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


def _property(source: Source, start: int, in_class: bool, negative: bool) -> Ranges:
    source.take()
    name = source.until("}")
    if name.startswith("^"):
        negative, name = not negative, name[1:]
    found = properties.find(name)
    if found is None:
        raise source.invalid(f"there is no property {name!r}", start)
    if in_class and properties.normalized(name) == "word":
        found = properties.word_class()
    return _signed(found, negative)


def _code_point(source: Source, letter: str, start: int) -> str:
    if letter == "u":
        digits = source.digits(HEX, 4)
        if len(digits) < 4:
            raise source.invalid(r"\u takes four hexadecimal digits", start)
        return _character(source, int(digits, 16), start)
    if source.peek() == "{":
        return _braced(source, start)
    digits = source.digits(HEX, 2)
    return _byte(source, int(digits or "0", 16), start)


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
    if point > 0x10FFFF or 0xD800 <= point < 0xE000:
        raise source.refused("a code point that no text can hold", start)
    return chr(point)


def _octal(source: Source, first: str, start: int) -> str:
    return _byte(source, int(first + source.digits(OCTAL, 2), 8), start)


def _byte(source: Source, value: int, start: int) -> str:
    """One byte of UTF-8: below 0x80 a character, above only a part of one."""
    if value >= 0x80:
        raise source.refused("a byte that is only a part of a character", start)
    return chr(value)


def as_set(meaning: Meaning) -> List[Ranges]:
    """A meaning as sets, one for each character of a list escape."""
    return [((ord(char), ord(char)),) for char in meaning] if isinstance(meaning, str) else [meaning]
