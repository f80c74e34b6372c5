r"""Extended grapheme clusters for ``\X``, ``\y`` and ``\Y``: where one begins, marked in the mapped text.

`re` cannot look back without bound (a flag is an even number of indicators, a family an emoji sequence),
so the boundaries are found first and every character inside a cluster is replaced by a marked
representative. Rules: UAX 29 of Unicode 16.0 without GB9c, as Oniguruma has them. Clause ``regex.graphemes``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Dict, Tuple

from ..unicode import data_graphemes as data
from ..unicode.properties import PackedSets, find
from ..unicode.ranges import NOTHING, Ranges
from .alphabet import Alphabet, classed

# Far above every representative (there are never so many classes) and below the surrogates.
MARK = 0x4000

_KINDS = ("Prepend", "Control", "Extend", "SpacingMark", "HangulL", "HangulV", "HangulT")
_CLUSTER = (
    r"\r\n|[{Control}\r\n]|"
    r"[{Prepend}]*(?:"
    r"[{HangulL}]*(?:[{LV}][{HangulV}]*[{HangulT}]*|[{LVT}][{HangulT}]*|[{HangulV}]+[{HangulT}]*)|"
    r"[{HangulL}]+|[{HangulT}]+|[{RI}]{{2}}|[{Pict}](?:[{Extend}]*[{Zwj}][{Pict}])*|[^{Control}\r\n])"
    r"[{Extend}{Zwj}{SpacingMark}]*|"
    r"[{Prepend}]+"
)


@lru_cache(maxsize=1)
def _sets() -> Dict[str, Ranges]:
    packed = PackedSets(data.INDEX, data.SETS)
    sets = {kind: packed.get(kind.lower()) or NOTHING for kind in _KINDS}
    sets["LV"] = tuple((point, point) for point in range(0xAC00, 0xD7A4, 28))
    sets["LVT"] = tuple((point + 1, point + 27) for point in range(0xAC00, 0xD7A4, 28))
    sets["RI"] = ((0x1F1E6, 0x1F1FF),)
    sets["Pict"] = find("Extended_Pictographic") or NOTHING
    sets["Zwj"] = ((0x200D, 0x200D),)
    return sets


@lru_cache(maxsize=1)
def _finder() -> Tuple[Alphabet, re.Pattern[str]]:
    sets = _sets()
    newlines: Ranges = ((10, 10), (13, 13))
    alphabet = classed([*sets.values(), newlines])
    bodies = {kind: _body(alphabet.members[one]) for kind, one in sets.items()}
    return alphabet, re.compile(_CLUSTER.format(**bodies))


def _body(members: Ranges) -> str:
    return "".join(f"\\x{low:02x}-\\x{high:02x}" for low, high in members)


def mark_inside(text: str, mapped: str) -> str:
    """`mapped` with a mark on every character that does not begin a cluster of `text`."""
    alphabet, cluster = _finder()
    parts = []
    for match in cluster.finditer(alphabet.map(text)):
        start, end = match.span()
        parts.append(mapped[start])
        parts += [chr(ord(char) + MARK) for char in mapped[start + 1 : end]]
    return "".join(parts)
