"""transformers' AutoTokenizer: what a user of a model gets, which need not be what tokenizer.json says."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "autotokenizer"
HELP = "autotokenizer[:tokenizer_config.json], transformers' AutoTokenizer on a tokenizer.json and its config"
DISTRIBUTIONS = ("transformers", "tokenizers")
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel; `argument` is the tokenizer_config.json to use. Raises UnavailableError."""
    return open_package(
        NAME,
        argument,
        DISTRIBUTIONS,
        Loaded,
        partial(Loaded, config=argument),
        takes_argument=True,
    )


class Loaded:
    """One tokenizer. The class that the config names may build another pipeline than the file's."""

    def __init__(self, path: str, *, config: str = "") -> None:
        read_json(path)
        beside = Path(config or Path(path).parent / "tokenizer_config.json")
        self.inner = _from_both(path, beside) if beside.is_file() else _from_file(path)

    def encode(self, text: str, *, add_special_tokens: bool = False) -> List[int]:
        return integers(self.inner.encode(text, add_special_tokens=add_special_tokens))

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return str(
            self.inner.decode(
                list(ids), skip_special_tokens=skip_special_tokens, clean_up_tokenization_spaces=False
            )
        )


def _from_file(path: str) -> Any:
    return module("transformers").PreTrainedTokenizerFast(tokenizer_file=path)


def _from_both(path: str, config: Path) -> Any:
    with tempfile.TemporaryDirectory(prefix="tokassay-auto-") as folder:
        shutil.copyfile(path, Path(folder) / "tokenizer.json")
        shutil.copyfile(config, Path(folder) / "tokenizer_config.json")
        return module("transformers").AutoTokenizer.from_pretrained(folder)
