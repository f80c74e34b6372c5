"""Byte-level BPE as textbooks have it, on the package regex: no added tokens, the letters of its Unicode."""

from __future__ import annotations

import json
from pathlib import Path

import regex


def letters() -> list[str]:
    """The byte-level letter of each byte."""
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in kept)
    spelled = {**{byte: chr(byte) for byte in kept}, **{byte: chr(256 + n) for n, byte in enumerate(others)}}
    return [spelled[byte] for byte in range(256)]


class Textbook:
    """One tokenizer.json whose first pre-tokenizer is a Split."""

    def __init__(self, path: str) -> None:
        stored = json.loads(Path(path).read_bytes())
        self.vocabulary, self.alphabet = stored["model"]["vocab"], letters()
        self.ranks = {
            tuple(merge if isinstance(merge, list) else merge.split(" ")): rank
            for rank, merge in enumerate(stored["model"]["merges"])
        }
        self.pattern = regex.compile(stored["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"])

    def encode(self, text: str) -> list[int]:
        return [index for piece in self.pattern.findall(text) for index in self._piece(piece.encode())]

    def decode(self, ids: list[int]) -> str:
        token_of = {index: token for token, index in self.vocabulary.items()}
        byte_of = {letter: byte for byte, letter in enumerate(self.alphabet)}
        return bytes(byte_of[letter] for index in ids for letter in token_of[index]).decode(
            "utf-8", "replace"
        )

    def _piece(self, data: bytes) -> list[int]:
        parts = [self.alphabet[byte] for byte in data]
        if "".join(parts) in self.vocabulary:
            return [self.vocabulary["".join(parts)]]
        while len(parts) > 1:
            pairs = [self.ranks.get(pair, len(self.ranks)) for pair in zip(parts, parts[1:])]
            if min(pairs) == len(self.ranks):
                break
            at = pairs.index(min(pairs))
            parts[at : at + 2] = ["".join(parts[at : at + 2])]
        return [self.vocabulary[part] for part in parts]
