"""sentencepiece: Google's library, on its own model files."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from tokassay.checks.engine import RefusalError

from ._packages import PackageEngine, integers, is_json, module, open_package

NAME = "sentencepiece"
HELP = "Google's sentencepiece, on a .model file (package sentencepiece)"
DISTRIBUTIONS = ("sentencepiece",)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded, formats=("sentencepiece",))


class Loaded:
    """One processor; control tokens are never found in a text and never added."""

    COLUMNS = ("tokens",)

    def __init__(self, path: str) -> None:
        if is_json(path):
            raise RefusalError("reads .model files only")
        self.inner = module("sentencepiece").SentencePieceProcessor(model_file=path)

    def encode(self, text: str) -> Pieces:
        return Pieces(self.inner, integers(self.inner.encode(text)), text)

    def decode(self, ids: Sequence[int]) -> str:
        return str(self.inner.decode(list(ids)))

    def vocab_size(self, *, with_added_tokens: bool = True) -> int:
        del with_added_tokens  # one vocabulary holds them all
        return int(self.inner.get_piece_size())

    def id_to_token(self, index: int) -> Optional[str]:
        return str(self.inner.id_to_piece(index)) if 0 <= index < self.inner.get_piece_size() else None


class Pieces:
    """Ids, and their pieces when they are asked for."""

    def __init__(self, inner: Any, ids: List[int], text: str) -> None:
        self.inner, self.ids, self.text = inner, ids, text

    @property
    def tokens(self) -> List[str]:
        """What is unknown is the text itself, as everywhere."""
        return list(map(str, self.inner.encode(self.text, out_type=str)))
