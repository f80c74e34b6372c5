"""The child's side of ``mnn``: the tokenizer of MNN's wheel, without any model.

Usage: python -m tokassay.engines._mnn

The wheel takes a model folder and keeps the tokenizer when loading the model fails; files of zero bytes
stand for the model. It is native code that trusts its input: a lone surrogate or a corrupt file ends the
process, and a NUL ends a text. Nothing of that is guarded against here, because the kit reports it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import sys
import tempfile
from pathlib import Path
from typing import Any, List, Mapping, Sequence

from tokassay.core.errors import FormatError
from tokassay.device.serve import serve
from tokassay.formats import read
from tokassay.formats.mtok.companion import with_device
from tokassay.formats.mtok.header import is_header, read_header
from tokassay.formats.mtok.projecting import project
from tokassay.formats.mtok.writing import written
from tokassay.user_cache import cache_folder, write_atomic

NAME = "mnn"
FORMATS = ("mtok", "tokenizer.json")
WRITER = "1"
"""Part of a cached file's name: to be raised when the writer's bytes change."""
EMPTY = b"430 4\n0 0 0\n\n" + bytes(22)
"""A .mtok that holds nothing: no normalizer, no pre-tokenizer, BPE without entries, ByteLevel."""


class Mnn:
    """One loaded file. `prefix`: how many ids the header puts in front of every text."""

    def __init__(self, path: str) -> None:
        data = as_mtok(Path(path))
        (_, _, prefix), _ = read_header(data)
        self.prefix = len(prefix)
        with tempfile.TemporaryDirectory(prefix="tokassay-mnn-") as folder:
            self.model = _opened(Path(folder), data)

    def encode(self, text: str, *, add_special_tokens: bool = True) -> List[int]:
        return self._encoded(text, add_special_tokens=add_special_tokens)

    def encode_bytes(self, data: bytes, *, add_special_tokens: bool = True) -> List[int]:
        return self._encoded(data, add_special_tokens=add_special_tokens)

    def template(self, template: str, messages: Any, options: Mapping[str, Any]) -> str:
        """The wheel always asks for the beginning of the assistant's turn."""
        context = dict(options)
        if context.pop("continue_final_message", False):
            raise NotImplementedError("continue_final_message")
        if not context.pop("add_generation_prompt", False) and "add_generation_prompt" in template:
            raise NotImplementedError("a prompt without the beginning of the assistant's turn")
        tokens = {name: context[f"{name}_token"] for name in ("bos", "eos") if f"{name}_token" in context}
        return rendered({"chat_template": template, **tokens, "context": context}, messages)

    def _encoded(self, text: Any, *, add_special_tokens: bool) -> List[int]:
        ids: List[int] = list(self.model.tokenizer_encode(text))
        return ids if add_special_tokens else ids[self.prefix :]

    def decode(self, ids: Sequence[int]) -> str:
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The wheel decodes one id at a time; special tokens are not left out."""
        return b"".join(map(self._piece, ids))

    def _piece(self, index: int) -> bytes:
        try:
            piece: str = self.model.tokenizer_decode(index)
        except UnicodeDecodeError as error:  # part of a character: the bytes are in the error
            return bytes(error.object)
        return piece.encode("utf-8")


def as_mtok(path: Path) -> bytes:
    """The file itself, or a tokenizer.json converted (once for each content, kept in the user's cache).

    Raises NotImplementedError for what the format cannot hold at all.
    """
    data = path.read_bytes()
    if is_header(data):
        return data
    kept = cache_folder() / "mtok" / f"{_digest(path, data)}.mtok"
    if not kept.is_file():
        try:
            converted = written(project(with_device(read(path), path.parent)))
        except FormatError as error:
            raise NotImplementedError(str(error)) from error
        write_atomic(kept, converted)
    return kept.read_bytes()


def _digest(path: Path, data: bytes) -> str:
    """Of all that the conversion reads."""
    digest = hashlib.sha256(WRITER.encode() + data)
    for name in ("tokenizer_config.json", "generation_config.json"):
        beside = path.parent / name
        digest.update(b"\0" + (beside.read_bytes() if beside.is_file() else b""))
    return digest.hexdigest()


def rendered(template: Mapping[str, Any], messages: Any) -> str:
    """A chat template through the wheel. It has to be in the configuration before the object is made."""
    with tempfile.TemporaryDirectory(prefix="tokassay-mnn-") as folder:
        model = _opened(Path(folder), EMPTY, jinja=dict(template))
        text: str = model.apply_chat_template(messages)
        return text


def _opened(folder: Path, data: bytes, **config: object) -> Any:
    """The wheel's object for a folder with this tokenizer; it says on stdout that the model is missing."""
    import MNN.llm  # noqa: PLC0415 - an extra

    (folder / "tokenizer.mtok").write_bytes(data)
    for name in ("llm.mnn", "llm.mnn.weight"):
        (folder / name).touch()  # must exist; what they hold is read after the tokenizer
    (folder / "llm_config.json").write_text("{}")
    (folder / "config.json").write_text(json.dumps({"tokenizer_file": "tokenizer.mtok", **config}))
    model = MNN.llm.create(f"{folder}/config.json")
    model.load()
    return model


def main() -> int:
    """Serve until stdin ends."""
    serve(NAME, importlib.metadata.version("mnn"), Mnn, formats=FORMATS, build={"sha256": ""})
    return 0


if __name__ == "__main__":
    sys.exit(main())
