"""A small SentencePiece character map of our own: full-width forms, ligatures, fractions, spaces, accents.

The map's binary form is a double-array trie from UTF-8 bytes to positions in a block of
NUL-terminated replacements; one unit of the trie is 32 bits (label 0-7, leaf 8, offset from 10).
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Union

from tokenizers import normalizers

_OTHERS = "ªº²³¹¼½¾ĲĳŁłǄǅǆⅠⅡⅢⅣⅰⅱ①②③④ﬀﬁﬂﬃﬄﬅﬆﷺ℃℉№™㎏㏑㍿ｱｲｳ゛゜…‥"
_SPACES = "\t\n\r\x0b\x0c\xa0\u1680\u2000\u2003\u2009\u202f\u205f\u3000"
_DROPPED = "\x01\x07\x1b\x7f\u200b\ufeff"
_ACCENTED = "éèêëàâäçîïôöùûüñáíóúÉÈÀÇÑÖÜÅåãõ"
Trie = dict[int, Union["Trie", int]]


def _replacements() -> dict[str, str]:
    """What becomes what. Compositions are of the oracle's normalizer, so that no Python's Unicode matters."""
    nfkc, nfd = normalizers.NFKC(), normalizers.NFD()
    plain = [*_OTHERS, *map(chr, range(0xFF01, 0xFF5F)), *map(chr, range(0xFF66, 0xFF9E))]
    found = {char: nfkc.normalize_str(char) for char in plain}
    found.update(dict.fromkeys(_SPACES, " ") | dict.fromkeys(_DROPPED, ""))
    found.update({nfd.normalize_str(char): char for char in _ACCENTED})
    return {old: new for old, new in found.items() if old != new}


@lru_cache(maxsize=1)
def charsmap() -> bytes:
    return charsmap_of(_replacements())


def charsmap_of(rules: dict[str, str]) -> bytes:
    """The blob of rules."""
    replacements = dict(sorted(rules.items(), key=lambda item: item[0].encode()))
    block, root = b"", {}
    positions: dict[str, int] = {}
    for old, new in replacements.items():
        if new not in positions:
            positions[new] = len(block)
            block += new.encode() + b"\0"
        _insert(root, old.encode(), positions[new])
    units = _double_array(root)
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + block


def _insert(root: Trie, key: bytes, value: int) -> None:
    node = root
    for byte in key:
        node = node.setdefault(byte, {})  # type: ignore[assignment]
    node[0] = value  # a key ends here


def _double_array(root: Trie) -> list[int]:
    units: dict[int, int] = {0: 0}
    waiting: list[tuple[int, Trie]] = [(0, root)]
    while waiting:
        place, node = waiting.pop()
        base = _free_base(units, place, node)
        units[place] |= (base ^ place) << 10 | (0 in node) << 8
        for label in node:
            units[base ^ label] = label
        for label, child in node.items():
            if isinstance(child, dict):
                waiting.append((base ^ label, child))
            else:
                units[base ^ label] = 1 << 31 | child
    size = (max(units) // 256 + 1) * 256
    return [units.get(place, 0) for place in range(size)]


def _free_base(units: dict[int, int], place: int, node: Trie) -> int:
    base = 1
    while base == place or any(base ^ label in units for label in node):
        base += 1
    return base
