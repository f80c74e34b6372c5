"""The 256 visible characters that byte-level tokenizers write bytes with (clause ``bytes.alphabet``).

Printable Latin-1 bytes stand for themselves; the 68 others take U+0100, U+0101, ... in byte order.
"""

from __future__ import annotations

from typing import Dict


def _alphabet() -> str:
    spare = iter(range(0x100, 0x200))
    return "".join(chr(byte) if _is_visible(byte) else chr(next(spare)) for byte in range(256))


def _is_visible(byte: int) -> bool:
    return 0x21 <= byte <= 0x7E or (byte >= 0xA1 and byte != 0xAD)


CHAR_OF_BYTE: str = _alphabet()
BYTE_OF_CHAR: Dict[str, int] = {char: byte for byte, char in enumerate(CHAR_OF_BYTE)}


def spell(text: str) -> str:
    """One character of the alphabet per UTF-8 byte of `text`."""
    return (text if text.isascii() else text.encode().decode("latin-1")).translate(CHAR_OF_BYTE)
