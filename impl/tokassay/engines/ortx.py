"""onnxruntime-extensions: the tokenizers that are used beside ONNX Runtime."""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "ortx"
HELP = (
    "ortx[:tokenizer_config.json], onnxruntime-extensions on a tokenizer.json and its tokenizer_config.json"
)
DISTRIBUTIONS = ("onnxruntime-extensions",)
NATIVE = True
IN_PROCESS = True
# What the kit writes beside a tokenizer.json that has no tokenizer_config.json.
CONFIG = {"tokenizer_class": "PreTrainedTokenizerFast", "add_bos_token": False, "add_eos_token": False}


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
    """One tokenizer, from a folder of its own that holds the two files."""

    def __init__(self, path: str, *, config: str = "") -> None:
        read_json(path)
        with tempfile.TemporaryDirectory(prefix="tokassay-ortx-") as folder:
            shutil.copyfile(path, Path(folder) / "tokenizer.json")
            _write_config(Path(folder), config or str(Path(path).parent / "tokenizer_config.json"))
            self.inner = module("onnxruntime_extensions.pp_api").Tokenizer(folder)
        with suppress(Exception):  # releases without this option add no special tokens by themselves
            self.inner.update_options({"add_special_tokens": "false"})

    def encode(self, text: str) -> List[int]:
        return integers(self.inner.tokenize([text])[0])

    def decode(self, ids: Sequence[int]) -> str:
        found = self.inner.detokenize(list(ids))
        return str(found if isinstance(found, str) else found[0])


def _write_config(folder: Path, config: str) -> None:
    target = folder / "tokenizer_config.json"
    if Path(config).is_file():
        shutil.copyfile(config, target)
    else:
        target.write_text(json.dumps(CONFIG), "utf-8")
