"""bpe-openai: built-in encodings only; a tokenizer.json with the same vocabulary is recognised."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Sequence

from tokassay.checks.engine import RefusalError

from ._byte_level import alphabet, spelled
from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "bpe-openai"
HELP = "bpe-openai's built-in encodings, for files with the same vocabulary (package bpe-openai)"
DISTRIBUTIONS = ("bpe-openai",)
NATIVE = True
IN_PROCESS = True
BUNDLED = ("o200k_base", "cl100k_base")  # the package downloads its other encodings


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """The built-in encoding behind a file; special tokens in a text are text to it."""

    def __init__(self, path: str) -> None:
        self.inner = _same(module("bpe_openai"), _vocabulary(read_json(path)))

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.encode_ordinary(text))

    def decode(self, ids: Sequence[int]) -> str:
        return str(self.inner.decode(list(ids)))

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        return bytes(self.inner.decode_bytes(list(ids)))


def _vocabulary(stored: Mapping[str, Any]) -> Dict[int, bytes]:
    letters, added = alphabet(), {token["id"] for token in stored["added_tokens"]}
    vocabulary = stored["model"]["vocab"]
    if not isinstance(vocabulary, dict):
        raise RefusalError("is byte-level BPE only")
    return {index: spelled(token, letters) for token, index in vocabulary.items() if index not in added}


def _same(package: Any, vocabulary: Mapping[int, bytes]) -> Any:
    """The built-in encoding with this very vocabulary. Raises RefusalError."""
    for encoding in map(package.get_encoding, BUNDLED):
        if all(_token(encoding, index) == data for index, data in vocabulary.items()):
            return encoding
    known = ", ".join(BUNDLED)
    raise RefusalError(f"cannot load a file, and its vocabulary is none of the built-in ones: {known}")


def _token(encoding: Any, index: int) -> bytes:
    try:
        return bytes(encoding.decode_single_token_bytes(index))
    except (KeyError, ValueError):
        return b""
