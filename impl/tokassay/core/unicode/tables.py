"""Every set of code points that the pipeline uses, by name (clauses ``unicode.*``).

Names: ``onig.<property>`` for a set of Oniguruma (``onig.L``, ``onig.Han``), ``onig.word.bare`` and
``onig.word.class``; ``rust.word``, ``rust.numeric``, ``white_space``, ``hex``, ``bert.punctuation``,
``bert.control.removed``, ``bert.space``, ``mn8``, ``m9``, ``cjk``, ``nmt.removed``, ``nmt.spaced``,
``unassigned9``.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Callable, Dict, FrozenSet

from . import properties
from .packed import read_runs, unpack
from .properties import PackedSets, normalized
from .ranges import Ranges, size

_COMPUTED: Dict[str, Callable[[], Ranges]] = {
    "onig.word.bare": properties.word_bare,
    "onig.word.class": properties.word_class,
    "rust.word": properties.rust_word,
    "white_space": partial(properties.known, "White_Space"),
    "hex": partial(properties.known, "ASCII_Hex_Digit"),
}
# Sets up to this size become a frozenset of characters; a bigger one costs too much memory on a board.
_SMALL = 20_000


@lru_cache(maxsize=256)
def ranges(name: str) -> Ranges:
    """The set as sorted inclusive ranges of code points; KeyError for an unknown name."""
    if name in _COMPUTED:
        return _COMPUTED[name]()
    found = properties.find(name[5:]) if name.startswith("onig.") else _versions().get(normalized(name))
    if found is None:
        raise KeyError(name)
    return found


@lru_cache(maxsize=1)
def _versions() -> PackedSets:
    from . import data_versions as data  # noqa: PLC0415 - decoded when first asked for

    return PackedSets(data.INDEX, data.SETS)


@lru_cache(maxsize=64)
def contains(name: str) -> Callable[[str], bool]:
    """A test for one character. Small sets answer from a frozenset, big ones from a bit map."""
    found = ranges(name)
    return characters(name).__contains__ if size(found) <= _SMALL else _bitmap_test(found)


@lru_cache(maxsize=32)
def characters(name: str) -> FrozenSet[str]:
    """The set as characters."""
    return frozenset(chr(point) for low, high in ranges(name) for point in range(low, high + 1))


def _bitmap_test(found: Ranges) -> Callable[[str], bool]:
    bits = bytearray(0x110000 // 8)
    for low, high in found:
        for point in range(low, high + 1):
            bits[point >> 3] |= 1 << (point & 7)
    frozen = bytes(bits)
    return lambda char: bool(frozen[ord(char) >> 3] >> (ord(char) & 7) & 1)


@lru_cache(maxsize=1)
def scripts9() -> Dict[str, Ranges]:
    """Script class of HF's UnicodeScripts to its ranges; what is in none of them is ``Any``."""
    from . import data_scripts9 as data  # noqa: PLC0415 - decoded when first asked for

    return {
        name: found
        for name, found in read_runs(unpack(data.RUNS), data.NAMES.split()).items()
        if name != "Any"
    }
