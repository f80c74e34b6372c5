"""kitoken: tokenizer.json, SentencePiece, tiktoken and tekken files."""

from __future__ import annotations

from typing import List, Sequence

from ._packages import PackageEngine, integers, is_json, lossy, module, open_package

NAME = "kitoken"
HELP = "kitoken, from a tokenizer.json or a SentencePiece model (package kitoken)"
DISTRIBUTIONS = ("kitoken",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded, formats=("tokenizer.json", "sentencepiece"))


class Loaded:
    """One tokenizer; special tokens are found in the text and never added."""

    def __init__(self, path: str) -> None:
        kinds = module("kitoken").Kitoken
        self.inner = (
            kinds.from_tokenizers_file(path) if is_json(path) else kinds.from_sentencepiece_file(path)
        )

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.encode(text, True))

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return lossy(self.inner.decode(list(ids), not skip_special_tokens))

    def decode_bytes(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> bytes:
        return bytes(self.inner.decode(list(ids), not skip_special_tokens))
