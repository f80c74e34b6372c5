"""budtiktok: from tokenizer.json. In one process the second file is answered with the first one's ids."""

from __future__ import annotations

from typing import Any, Sequence

from ._packages import PackageEngine, module, open_package, read_json

NAME = "budtiktok"
HELP = "budtiktok, from a tokenizer.json (package budtiktok)"
DISTRIBUTIONS = ("budtiktok",)
NATIVE = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer."""

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("budtiktok").Tokenizer.from_file(path)

    def encode(self, text: str, *, add_special_tokens: bool = False) -> Any:
        return self.inner.encode(text, add_special_tokens=add_special_tokens).ids

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=skip_special_tokens))
