"""Packages whose tokenizer has the methods of HF's: the adapter is their name."""

from __future__ import annotations

from typing import Any, List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json


def open_lookalike(name: str, argument: str) -> PackageEngine:
    """The installed wheel `name`, which is imported by the same name. Raises UnavailableError."""
    return open_package(name, argument, (name,), Lookalike, lambda path: Lookalike(name, path))


class Lookalike:
    """One tokenizer. Nothing of the file's truncation and padding is applied."""

    def __init__(self, name: str, path: str) -> None:
        read_json(path)
        self.inner = module(name).Tokenizer.from_file(path)
        self.inner.no_truncation()
        self.inner.no_padding()

    def encode(self, text: str, *, add_special_tokens: bool = False) -> List[int]:
        found: Any = self.inner.encode(text, add_special_tokens=add_special_tokens)
        return integers(getattr(found, "ids", found))

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return str(self.inner.decode(list(ids), skip_special_tokens=skip_special_tokens))
