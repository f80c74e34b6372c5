"""Bracket classes: ranges, nesting, ``&&``, POSIX brackets. Clauses ``regex.class.*``."""

from __future__ import annotations

from typing import List, Optional, Tuple, Union

from ..unicode import properties
from ..unicode.ranges import EVERYTHING, NOTHING, Ranges, complement, holds, intersection, union
from .escapes import Narrow, narrowed, read_escape
from .source import Source

# POSIX names are properties of the same name but for these two.
_NAMES = "alnum alpha blank cntrl digit graph lower print space upper xdigit ascii"
_POSIX = {name: name for name in _NAMES.split()}
_POSIX.update(punct="posixpunct", word="word")
_PART = Union[str, Ranges]


def read_class(source: Source, narrow: Narrow = "") -> Tuple[Ranges, bool]:
    """A class whose ``[`` was read: its set before negation, and whether it is negated."""
    start = source.at - 1
    negated = source.skip("^")
    _check_not_empty(source, start)
    whole: Optional[Ranges] = None
    part = _Union(source, narrow)
    first = True
    while not (source.peek() == "]" and not first):
        if source.done():
            raise source.invalid("there is no ']' for this class", start)
        if source.skip("&&"):
            whole = part.close() if whole is None else intersection(whole, part.close())
            part = _Union(source, narrow)
        else:
            part.read()
        first = False
    source.take()
    found = part.close()
    return (found if whole is None else intersection(whole, found)), negated


def signed(found: Tuple[Ranges, bool]) -> Ranges:
    return complement(found[0]) if found[1] else found[0]


def _check_not_empty(source: Source, start: int) -> None:
    r"""A leading ``]`` is itself, if another one follows to close the class."""
    if source.peek() != "]":
        return
    at = source.at + 1
    while at < len(source.text) and source.text[at] != "]":
        at += 2 if source.text[at] == "\\" else 1
    if at >= len(source.text):
        raise source.invalid("this class is empty", start)


class _Union:
    """The parts between two ``&&``: single characters wait for a possible ``-`` behind them."""

    def __init__(self, source: Source, narrow: Narrow) -> None:
        self.source = source
        self.narrow = narrow
        self.found: List[Ranges] = []
        self.waiting: Optional[str] = None
        self.after = "start"  # or "char", "range", "set"

    def close(self) -> Ranges:
        self._settle()
        return union(*self.found) if self.found else NOTHING

    def read(self) -> None:
        at = self.source.at
        if self.source.peek() == "-" and self._hyphen(at):
            return
        nested = self.source.peek() == "[" and not self._is_posix()
        part = self._part()
        if isinstance(part, str):
            for char in part:
                self._settle()
                self.waiting, self.after = char, "char"
        else:
            self._settle()
            self.found.append(part)
            self.after = "start" if nested else "set"

    def _settle(self) -> None:
        if self.waiting is not None:
            self.found.append(((ord(self.waiting), ord(self.waiting)),))
        self.waiting = None

    def _hyphen(self, at: int) -> bool:
        """Read a ``-`` that makes a range; False where it is a character."""
        last = self.source.text.startswith(("-]", "-&&"), at)
        if self.after == "start" or last:
            return False
        if self.after == "set":
            raise self.source.invalid("a range cannot begin with a set", at)
        if self.after == "range":
            return False
        self.source.take()
        self._range(at)
        return True

    def _range(self, at: int) -> None:
        low = self.waiting
        assert low is not None
        if self.source.peek() == "[" and not self._is_posix():
            self._nested_end(at)
            return
        high = self._part()
        if not isinstance(high, str):
            raise self.source.invalid("a range cannot end with a set", at)
        if len(high) != 1:
            raise self.source.refused("a list of code points as the end of a range", at)
        if high < low:
            raise self.source.invalid("this range is empty", at)
        self.found.append(((ord(low), ord(high)),))
        self.waiting, self.after = None, "range"

    def _nested_end(self, at: int) -> None:
        """``a-[b]`` is the class alone."""
        self.waiting = None
        part = self._part()
        assert not isinstance(part, str)
        self.found.append(part)
        self.after = "range"
        if self.source.peek() == "-" and self.source.peek(2) != "-]":
            raise self.source.refused("a hyphen behind a nested class as the end of a range", at)

    def _part(self) -> _PART:
        char = self.source.take()
        if char == "[":
            posix = self._posix() if self.source.peek() == ":" else None
            return posix if posix is not None else signed(read_class(self.source, self.narrow))
        if char != "\\":
            return char
        if self.source.done():
            raise self.source.invalid("the pattern ends with a backslash", self.source.at - 1)
        if self.source.skip("b"):
            return "\b"
        return read_escape(self.source, in_class=True, narrow=self.narrow)

    def _is_posix(self) -> bool:
        mark = self.source.at
        self.source.take()
        try:
            return self.source.peek() == ":" and self._posix() is not None
        finally:
            self.source.at = mark

    def _posix(self) -> Optional[Ranges]:
        """``:name:]`` as a set; None where it is a nested class after all."""
        source = self.source
        start = source.at
        negative = source.text.startswith("^", start + 1)
        name = _letters(source.text, start + 1 + negative)
        end = start + 1 + negative + len(name)
        if not source.text.startswith(":]", end) or not (name or negative):
            return None
        if name not in _POSIX:
            raise source.invalid(f"there is no POSIX bracket {name!r}", start)
        source.at = end + 2
        found = properties.word_class() if name == "word" else properties.find(_POSIX[name])
        assert found is not None
        found = narrowed(found, "word" if name == "word" else _POSIX[name], self.narrow)
        return complement(found) if negative else found


def _letters(text: str, at: int) -> str:
    alphabetic, end = properties.known("alpha"), at
    while end < len(text) and holds(alphabetic, ord(text[end])):
        end += 1
    return text[at:end]


def everything_but(found: Ranges) -> Ranges:
    return EVERYTHING if not found else complement(found)
