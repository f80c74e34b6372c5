r"""A character class of the split pattern holds other characters: ``\s``, ``\d``, ``\p{L}``, ``\p{N}``."""

from __future__ import annotations

import sys
import unicodedata
from functools import lru_cache
from typing import Dict, Iterator, Mapping, Tuple

from tokassay.core.description import Description
from tokassay.core.unicode import tables

from . import Altered
from ._parts import rewritten, with_patterns

STAGE = "pre-tokenizer"
Items = Mapping[str, Tuple[str, str]]
_ASCII = r"\t\n\x0b\f\r "
_UNICODE = r"\t\n\x0b\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"


def _inside(name: str, content: str) -> Tuple[str, str]:
    """A class by its content, outside of brackets and inside; the second of a negated one stays."""
    return (f"[^{content}]", name) if name in (r"\S", r"\D") else (f"[{content}]", content)


def _blanks(content: str) -> Items:
    return {name: _inside(name, content) for name in (r"\s", r"\S")}


def _digits(content: str) -> Items:
    return {name: _inside(name, content) for name in (r"\d", r"\p{N}", r"\p{Nd}")}


@lru_cache(maxsize=1)
def _ways() -> Dict[str, Items]:
    letters = (r"\p{L}", r"\p{Lo}")
    newer = "".join(rf"\x{{{low:x}}}-\x{{{high:x}}}" for low, high in _newer_letters())
    return {
        r"\s holds ASCII blanks only": _blanks(_ASCII),
        r"\s holds U+FEFF and not U+0085 (JavaScript)": _blanks(_UNICODE + r"\x{feff}"),
        r"\s lacks U+0085": _blanks(_UNICODE),
        r"\s holds U+180E as well (older Unicode)": _blanks(_UNICODE + r"\x{85}\x{180e}"),
        r"\s holds U+001C to U+001F as well": _blanks(_UNICODE + r"\x{85}\x1c-\x1f"),
        r"\p{N} and \d hold ASCII digits only": _digits("0-9"),
        r"\p{N} holds decimal digits only": {r"\p{N}": (r"\p{Nd}", r"\p{Nd}")},
        r"\d holds every number": {r"\d": (r"\p{N}", r"\p{N}")},
        r"\p{L} holds ASCII letters only": dict.fromkeys(letters, ("[A-Za-z]", "A-Za-z")),
        r"\p{L} holds combining marks as well": {r"\p{L}": (r"[\p{L}\p{M}]", r"\p{L}\p{M}")},
        r"\p{M} holds nothing": {r"\p{M}": (r"[^\s\S]", "")},
        r"\p{L} follows a newer Unicode than the oracle's": {
            name: (rf"[{name}{newer}]", name + newer) for name in letters if newer
        },
    }


def _newer_letters() -> Iterator[Tuple[int, int]]:
    """Letters to this Python and not to the oracle."""
    old, start = tables.contains("onig.L"), -1
    for point in range(sys.maxunicode + 1):
        new = unicodedata.category(chr(point))[0] == "L" and not old(chr(point))
        if new and start < 0:
            start = point
        elif not new and start >= 0:
            yield start, point - 1
            start = -1


def alter(description: Description) -> Iterator[Altered]:
    for cause, items in _ways().items():
        changed = with_patterns(description, rewritten(items))
        if changed is not None:
            yield Altered(cause, changed)
