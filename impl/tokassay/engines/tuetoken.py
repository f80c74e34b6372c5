"""tuetoken: BPE from tokenizer.json."""

from __future__ import annotations

from typing import List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "tuetoken"
HELP = "tuetoken, BPE from a tokenizer.json (package tuetoken)"
DISTRIBUTIONS = ("tuetoken",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer, through the class that follows transformers' interface."""

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("tuetoken").AutoTokenizer.from_file(path)

    def encode(self, text: str, *, add_special_tokens: bool = False) -> List[int]:
        return integers(self.inner.encode(text, add_special_tokens=add_special_tokens))

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=skip_special_tokens))
