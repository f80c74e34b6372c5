"""pytorch-tokenizers: the tokenizers of ExecuTorch, in C++."""

from __future__ import annotations

from typing import List, Sequence

from tokassay.checks.engine import FaultError

from ._packages import PackageEngine, integers, is_json, module, open_package

NAME = "pytorch"
HELP = "ExecuTorch's tokenizers in C++, from a tokenizer.json or a .model (package pytorch-tokenizers)"
DISTRIBUTIONS = ("pytorch-tokenizers",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded, formats=("tokenizer.json", "sentencepiece"))


class Loaded:
    """One tokenizer. The numbers after a text are how many BOS and EOS tokens to add."""

    def __init__(self, path: str) -> None:
        package = module("pytorch_tokenizers")
        self.is_json = is_json(path)
        self.inner = package.CppHFTokenizer() if self.is_json else package.CppSPTokenizer()
        self.inner.load(path)

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.encode(text, 0, 0))

    def decode(self, ids: Sequence[int]) -> str:
        if self.is_json:
            return str(self.inner.decode_batch(list(ids)))
        if not ids:
            return ""
        raise FaultError("decodes one id after the other only, and SentencePiece needs them together")
