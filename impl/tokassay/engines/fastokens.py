"""fastokens: BPE from tokenizer.json."""

from __future__ import annotations

from typing import Any, List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "fastokens"
HELP = "fastokens, BPE from a tokenizer.json (package fastokens)"
DISTRIBUTIONS = ("fastokens",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer."""

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("fastokens").Tokenizer.from_file(path)
        self.inner.no_truncation()
        self.inner.no_padding()

    def encode(self, text: str, *, add_special_tokens: bool = False) -> List[int]:
        found: Any = self.inner.encode(text, add_special_tokens=add_special_tokens)
        return integers(getattr(found, "ids", found))

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=skip_special_tokens))
