"""splintr: all four models from tokenizer.json."""

from __future__ import annotations

from typing import List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "splintr"
HELP = "splintr, from a tokenizer.json (package splintr-rs)"
DISTRIBUTIONS = ("splintr-rs",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer.

    The call that finds special tokens in a text also puts the file's template around it, and there is no
    call for one without the other: what an empty text is answered is taken off again.
    """

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("splintr").from_json(path)
        around = integers(self.inner.encode_with_special(""))
        probe = integers(self.inner.encode_with_special("a"))
        self.front = _shared(around, probe)
        self.back = len(around) - self.front

    def encode(self, text: str) -> List[int]:
        found = integers(self.inner.encode_with_special(text))
        return found[self.front : len(found) - self.back]

    def decode(self, ids: Sequence[int]) -> str:
        return str(self.inner.decode_with_special(list(ids)))


def _shared(around: Sequence[int], probe: Sequence[int]) -> int:
    """How many ids both begin with."""
    count = 0
    while count < min(len(around), len(probe)) and around[count] == probe[count]:
        count += 1
    return count
