"""morpheme: all four models from tokenizer.json, with tokens and offsets."""

from __future__ import annotations

from typing import Any, Sequence

from ._packages import PackageEngine, module, open_package, read_json

NAME = "morpheme"
HELP = "morpheme, from a tokenizer.json (package morpheme)"
DISTRIBUTIONS = ("morpheme",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer."""

    COLUMNS = ("tokens", "offsets")

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("morpheme").Tokenizer.from_file(path)

    def encode(self, text: str, *, add_special_tokens: bool = False) -> Any:
        return self.inner.encode(text, add_special_tokens=add_special_tokens)

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=skip_special_tokens))

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        return int(self.inner.vocab_size(with_added_tokens=with_added_tokens))

    def id_to_token(self, index: int) -> Any:
        return self.inner.id_to_token(index)
