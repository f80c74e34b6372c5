"""Lower case per character as Rust has it (Unicode 17.0), and Oniguruma's case folding (16.0).

Clauses ``unicode.version.lower`` and ``regex.fold.*``. The interpreter's own tables are not used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, FrozenSet, Tuple

from .packed import read_pairs, unpack


@lru_cache(maxsize=1)
def _lower_table() -> Dict[int, str]:
    from . import data_case as data  # noqa: PLC0415 - decoded when first asked for

    table = {point: chr(lower) for point, lower in read_pairs(unpack(data.LOWER))}
    table[0x130] = "i\u0307"
    return table


def lower(text: str) -> str:
    """Each character to lower case by itself: capital sigma is never a final one."""
    return text.lower() if text.isascii() else text.translate(_lower_table())


@lru_cache(maxsize=1)
def fold_classes() -> Dict[str, str]:
    """Character to all characters that fold alike one to one, itself among them, in order."""
    from . import data_case as data  # noqa: PLC0415 - decoded when first asked for

    groups: Dict[int, set[int]] = {}
    for point, target in read_pairs(unpack(data.FOLD)):
        groups.setdefault(target, {target}).add(point)
    classes = {}
    for group in groups.values():
        text = "".join(map(chr, sorted(group)))
        classes.update(dict.fromkeys(text, text))
    return classes


@lru_cache(maxsize=1)
def fold_many() -> Dict[str, str]:
    """Character to the two or three characters that it folds to."""
    from . import data_case as data  # noqa: PLC0415 - decoded when first asked for

    pairs = (entry.split("=") for entry in data.FOLD_MANY.split())
    return {chr(int(char, 16)): "".join(chr(int(part, 16)) for part in to.split("+")) for char, to in pairs}


@lru_cache(maxsize=1)
def fold_keys() -> Dict[str, Tuple[str, ...]]:
    """Folded string of two or three characters to the characters that fold to it."""
    keys: Dict[str, Tuple[str, ...]] = {}
    for char, text in fold_many().items():
        keys[text] = (*keys.get(text, ()), char)
    return keys


def fold_class(char: str) -> str:
    return fold_classes().get(char, char)


def fold_target(char: str) -> str:
    """One representative of the characters that fold alike."""
    return fold_class(char)[0]


def folding_characters() -> FrozenSet[str]:
    """Every character that a case-insensitive class may add to."""
    return frozenset(fold_classes())
