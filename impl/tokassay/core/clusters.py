r"""Extended grapheme clusters of Unicode 17.0 (UAX 29), for HF's Precompiled normalizer only.

Oniguruma's ``\X`` follows 16.0; see `tokassay.core.regex` for it. Clause ``norm.precompiled.clusters``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Iterator, List, Tuple

from .character_classes import Classes
from .unicode import data_graphemes17
from .unicode.properties import PackedSets
from .unicode.ranges import difference, joined

# Letters: P prepend, C control, R and N the line ends, E extend, K linker, U non-joiner, J joiner,
# S spacing mark, X pictograph, Q consonant, L V T Hangul, A LV, B LVT, I regional indicator, O other.
_FOLLOWS = "[EKUJS]"
_CLUSTER = "RN|[RNC]|P*(?:L*(?:V+|AV*|B)T*|L+|T+|II|X(?:[EKU]*JX)*|Q(?:[EJK]*K[EJK]*Q)*|[^RNC])[EKUJS]*"
# Characters that are clusters by themselves, as many as there are: most of any text.
_SINGLES = f"((?:[OXQEKUJS](?!{_FOLLOWS})|[CN]|R(?!N))+)"
_SETS = ("Prepend", "Control", "Extend", "SpacingMark", "ExtendedPictographic", "Consonant", "Linker")
_CLUSTERS = re.compile(_CLUSTER)
_RUNS = re.compile(f"{_SINGLES}|{_CLUSTER}")
# A text without one of these has only single characters for clusters.
_JOINING = re.compile("[EKUJSPLVTABI]|RN")


@lru_cache(maxsize=1)
def _classes() -> Classes:
    packed = PackedSets(data_graphemes17.INDEX, data_graphemes17.SETS)
    sets = {name: packed.get(name.lower()) or () for name in _SETS}
    special = joined([*sets["Linker"], (0x200C, 0x200C)])
    syllables = range(0xAC00, 0xD7A4, 28)
    letters = {
        "P": sets["Prepend"],
        "C": sets["Control"],
        "R": [(0x0D, 0x0D)],
        "N": [(0x0A, 0x0A)],
        "E": difference(sets["Extend"], special),
        "K": sets["Linker"],
        "U": [(0x200C, 0x200C)],
        "J": [(0x200D, 0x200D)],
        "S": sets["SpacingMark"],
        "X": sets["ExtendedPictographic"],
        "Q": sets["Consonant"],
        "L": [(0x1100, 0x115F), (0xA960, 0xA97C)],
        "V": [(0x1160, 0x11A7), (0xD7B0, 0xD7C6), (0x16D63, 0x16D63), (0x16D67, 0x16D6A)],
        "T": [(0x11A8, 0x11FF), (0xD7CB, 0xD7FB)],
        "A": [(code, code) for code in syllables],
        "B": [(code + 1, code + 27) for code in syllables],
        "I": [(0x1F1E6, 0x1F1FF)],
    }
    return Classes(letters, "O")


def clusters(text: str) -> List[str]:
    """The clusters of `text`, in order; together they are the text."""
    mapped = text.translate(_classes())
    return [text[match.start() : match.end()] for match in _CLUSTERS.finditer(mapped)]


def has_clusters(text: str) -> bool:
    """Whether a cluster of `text` may have more than one character; False is certain, True is not."""
    if text.isascii():
        return "\r\n" in text
    return _JOINING.search(text.translate(_classes())) is not None


def runs(text: str) -> Iterator[Tuple[int, int, bool]]:
    """Start and end of each run of one-character clusters (True) or of one longer cluster (False)."""
    for match in _RUNS.finditer(text.translate(_classes())):
        yield (match.start(), match.end(), match.lastindex == 1)
