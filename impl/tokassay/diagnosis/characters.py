"""The classes of characters, in words, and which characters of a text are at fault."""

from __future__ import annotations

import unicodedata
from typing import Callable, List

from tokassay.core.unicode import tables

_CATEGORIES = {
    "Lu": "capital letter",
    "Ll": "small letter",
    "Lt": "titlecase letter",
    "Lm": "modifier letter",
    "Lo": "letter without case",
    "Mn": "combining mark",
    "Mc": "spacing mark",
    "Me": "enclosing mark",
    "Nd": "decimal digit",
    "Nl": "letter number",
    "No": "other number",
    "Zs": "blank",
    "Zl": "line separator",
    "Zp": "paragraph separator",
    "Cf": "format character",
    "Co": "private use",
    "Cs": "surrogate",
    "Cn": "unassigned",
    "Sm": "mathematical sign",
    "Sc": "currency sign",
    "Sk": "modifier sign",
    "So": "symbol",
}
_NAMED = {
    "\0": "NUL",
    "\t": "tab",
    "\n": "line feed",
    "\r": "carriage return",
    " ": "space",
    "\ufffd": "U+FFFD",
}
_CJK = range(0x4E00, 0xA000)


def class_of(char: str) -> str:
    """The class of a character in words; characters newer than the oracle's tables are said to be."""
    if char in _NAMED:
        return _NAMED[char]
    category = unicodedata.category(char)
    if category == "Cc":
        return "control character"
    if ord(char) in _CJK:
        return "Chinese character"
    name = _CATEGORIES.get(category, "punctuation")
    if category[0] == "L" and not tables.contains("onig.L")(char):
        return f"{name} newer than the oracle's Unicode"
    if category[0] in "LM" and unicodedata.decomposition(char):
        return f"{name} with a decomposition"
    return f"ASCII {name}" if char.isascii() else f"{name} beyond ASCII"


def classes(text: str) -> str:
    """The classes of a text's characters in their order, each once: ``line feed, combining mark``."""
    found = dict.fromkeys(f"{class_of(char)} (U+{ord(char):04X})" for char in text)
    return ", ".join(list(found)[:4]) + (", ..." if len(found) > 4 else "")


def at_fault(text: str, fails: Callable[[str], bool]) -> str:
    """The classes of those characters that a plain letter cannot stand for, where the text still fails."""
    needed: List[str] = []
    for place, char in enumerate(text[:16]):
        others = [other for other in "ab" if other != char]
        if not all(fails(text[:place] + other + text[place + 1 :]) for other in others):
            needed.append(char)
    return classes("".join(needed) or text[:16])
