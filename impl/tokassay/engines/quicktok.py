"""quicktok: byte-level BPE, imported from tokenizer.json into its own format."""

from __future__ import annotations

import tempfile
from typing import List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "quicktok"
HELP = "quicktok, byte-level BPE imported from a tokenizer.json (package quicktok-v1)"
DISTRIBUTIONS = ("quicktok-v1", "tokenizers")  # which its import asks whether it was right
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """One tokenizer; what the import writes goes to a folder that ends with it."""

    def __init__(self, path: str) -> None:
        read_json(path)
        package = module("quicktok")
        self.folder = tempfile.TemporaryDirectory(prefix="tokassay-quicktok-")
        package.import_tokenizer(path, name="tokassay", data_dir=self.folder.name)
        self.inner = package.get_encoding("tokassay", self.folder.name)

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.encode_with_special(text))

    def decode(self, ids: Sequence[int]) -> str:
        return str(self.inner.decode(list(ids)))

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return bytes(self.inner.decode_bytes(list(ids)))
