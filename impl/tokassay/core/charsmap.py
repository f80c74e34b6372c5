"""SentencePiece's `precompiled_charsmap`: a byte trie in a double array, and the texts it points to.

The blob is the trie's size in bytes (u32), its units (u32 each), then the texts, each ended by a NUL.
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from typing import Dict, Optional, Tuple

from .errors import EncodeError, FormatError

_MOST_REMEMBERED = 1 << 16


@dataclass(eq=False)
class Charsmap(Dict[int, str]):
    """The rules; as a mapping it is a `str.translate` table that fills itself with what texts contain."""

    units: array[int]
    texts: bytes

    @classmethod
    def parse(cls, blob: bytes) -> Charsmap:
        """FormatError when sizes do not fit or texts are not UTF-8. An empty trie is for texts to fail on."""
        size = struct.unpack_from("<I", blob)[0] // 4 if len(blob) >= 4 else 0
        if len(blob) < 4 + 4 * size:
            raise FormatError("the charsmap is shorter than its trie, or has none")
        texts = blob[4 + 4 * size :]
        try:
            texts.decode()
        except UnicodeDecodeError as error:
            raise FormatError(f"the charsmap's texts are not UTF-8: {error}") from error
        return cls(array("Q", struct.unpack_from(f"<{size}I", blob, 4)), texts)

    def __missing__(self, code: int) -> str:
        char = chr(code)
        found = self.lookup(char)
        value = char if found is None else found
        if len(self) < _MOST_REMEMBERED:
            self[code] = value
        return value

    def lookup(self, text: str) -> Optional[str]:
        """What the *shortest* rule that `text` begins with says, for all of `text`; None without one."""
        try:
            at = self._shortest(text.encode())
            return None if at is None else self._text(at)
        except IndexError:
            raise EncodeError("the charsmap's trie points outside itself: the oracle panics") from None

    def _shortest(self, key: bytes) -> Optional[int]:
        units = self.units
        node = _offset(units[0])
        for byte in key:
            node ^= byte
            # A NUL in the text ends the search.
            if byte == 0 or units[node] & 0x800000FF != byte:
                return None
            unit = units[node]
            node ^= _offset(unit)
            if unit >> 8 & 1:
                return units[node] & 0x7FFFFFFF
        return None

    def longest(self, data: bytes, start: int) -> Optional[Tuple[int, str]]:
        """Length in bytes and text of the longest rule at `start`: what SentencePiece itself takes."""
        units, found = self.units, None
        try:
            node = _offset(units[0])
            for place in range(start, len(data)):
                node ^= data[place]
                if data[place] == 0 or units[node] & 0x800000FF != data[place]:
                    break
                unit = units[node]
                node ^= _offset(unit)
                if unit >> 8 & 1:
                    found = (place + 1 - start, units[node] & 0x7FFFFFFF)
            return None if found is None else (found[0], self._text(found[1]))
        except IndexError:
            raise EncodeError("the charsmap's trie points outside itself") from None

    def _text(self, at: int) -> str:
        if at > len(self.texts):
            raise IndexError
        end = self.texts.find(b"\0", at)
        try:
            return self.texts[at : len(self.texts) if end < 0 else end].decode()
        except UnicodeDecodeError:
            raise IndexError from None


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 0x200) >> 6)
