"""What a character, an escape or a bracket means under the options in force."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..unicode.ranges import Ranges, complement, holds, of_text, union
from .escapes import Meaning
from .fold import fold_set
from .nodes import Chars, Literal, Node


@dataclass(frozen=True)
class Options:
    """``(?i)``, ``(?x)`` and ``(?m)`` (dot matches newline) in force.

    `narrow` holds those of W, D, S and P; `plain` is I: only ASCII letters fold.
    """

    fold: bool = False
    blanks: bool = False
    dot_all: bool = False
    narrow: str = ""
    plain: bool = False


def switched(options: Options, flag: str, *, on: bool) -> Options:
    """The options with one of ``i``, ``m`` and ``x`` on or off."""
    if flag == "i":
        return replace(options, fold=on)
    return replace(options, dot_all=on) if flag == "m" else replace(options, blanks=on)


def meant(meaning: Meaning, options: Options) -> Node:
    """An escape outside a bracket."""
    if not isinstance(meaning, str):
        return Chars(meaning)
    return literal(meaning, options) if len(meaning) == 1 else Literal(meaning, options.fold)


def literal(char: str, options: Options) -> Node:
    """One character as it stands."""
    if options.fold and options.plain:
        return Chars(of_text("".join({char, *_case_of(char)})))
    return Literal(char, options.fold)


def bracketed(found: Ranges, negated: bool, options: Options) -> Node:
    """A bracket that was read."""
    if options.fold and not options.plain:
        return fold_set(found, negated)
    if options.fold:
        letters = (chr(point) for point in range(0x80) if holds(found, point))
        found = union(found, of_text("".join(other for char in letters for other in _case_of(char))))
    return Chars(complement(found) if negated else found)


def _case_of(char: str) -> str:
    """The other case of an ASCII letter."""
    return char.swapcase() if char.isascii() and char.isalpha() else ""
