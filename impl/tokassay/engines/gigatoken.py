"""gigatoken: BPE from tokenizer.json or SentencePiece models, with a cache of words."""

from __future__ import annotations

from typing import List, Sequence

from ._packages import PackageEngine, integers, is_json, lossy, module, open_package

NAME = "gigatoken"
HELP = "gigatoken, BPE from a tokenizer.json or a SentencePiece model (package gigatoken)"
DISTRIBUTIONS = ("gigatoken",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded, formats=("tokenizer.json", "sentencepiece"))


class Loaded:
    """One tokenizer; special tokens are found in the text and never added, decoding keeps them."""

    def __init__(self, path: str) -> None:
        kinds = module("gigatoken").Tokenizer
        self.inner = kinds(path) if is_json(path) else kinds.from_sentencepiece(path)

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.encode(text))

    def decode(self, ids: Sequence[int]) -> str:
        return lossy(self.inner.decode(list(ids)))

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return bytes(self.inner.decode(list(ids)))
