"""tokie: all four models from tokenizer.json, with pairs."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ._packages import PackageEngine, lossy, module, open_package, read_json

NAME = "tokie"
HELP = "tokie, from a tokenizer.json (package tokie)"
DISTRIBUTIONS = ("tokie",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer. Offsets are offered in bytes of the normalized text only, so they are not claimed."""

    def __init__(self, path: str) -> None:
        read_json(path)
        self.inner = module("tokie").Tokenizer.from_json(path)
        self.inner.no_truncation()
        self.inner.no_padding()

    def encode(self, text: str, *, add_special_tokens: bool = False) -> Any:
        return self.inner.encode(text, add_special_tokens=add_special_tokens).ids

    def decode(self, ids: Sequence[int]) -> str:
        """`decode` answers None for invalid UTF-8."""
        found: Optional[str] = self.inner.decode(ids)
        return lossy(self.inner.decode_bytes(ids)) if found is None else found

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return bytes(self.inner.decode_bytes(ids))
