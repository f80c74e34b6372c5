"""The byte-level alphabet, for adapters that hand a vocabulary on as bytes."""

from __future__ import annotations

from typing import Dict, Mapping

from tokassay.checks.engine import RefusalError


def alphabet() -> Dict[str, int]:
    """Letter to byte: printable Latin-1 stands for itself, the others follow from U+0100."""
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in kept]
    return {**{chr(byte): byte for byte in kept}, **{chr(256 + n): byte for n, byte in enumerate(others)}}


def spelled(token: str, letters: Mapping[str, int]) -> bytes:
    """The bytes that a token stands for. Raises RefusalError."""
    try:
        return bytes(letters[letter] for letter in token)
    except KeyError as error:
        raise RefusalError(f"the token {token!r} is not spelled in the byte-level alphabet") from error
