"""What a codec is, and how codecs are found: one module or package per format in this folder.

A codec is a module with a ``NAME``, ``probe``, ``parse`` and ``serialize``; being in the folder
is enough, there is no list of codecs.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any, Mapping, Optional, Protocol, cast

from ..core.description import Description
from ..core.errors import FormatError


class Codec(Protocol):
    """A file format: bytes to `Description` and back."""

    NAME: str
    """The format's name, as in ``Tokenizer.from_file(path, format=NAME)``."""

    def probe(self, data: bytes) -> bool:
        """Whether the bytes look like this format: by content, cheap, and never raising."""
        ...

    def parse(self, data: bytes) -> Description:
        """The description; FormatError (without path) when the bytes are not what they should be."""
        ...

    # A codec may have `locate(data, field)`: the byte at which the field of a fault begins, None where it
    # cannot be told. It is asked once a file is known to be wrong, and may be slow.

    def serialize(self, description: Description) -> bytes:
        """The file's bytes; FormatError when the format cannot hold the description."""
        ...


@cache
def codecs() -> Mapping[str, Codec]:
    """``NAME`` → codec, for every module of this folder that is one."""
    package = __name__.rpartition(".")[0]
    names = sorted(info.name for info in pkgutil.iter_modules(importlib.import_module(package).__path__))
    modules = [importlib.import_module(f"{package}.{name}") for name in names]
    return {module.NAME: cast("Codec", module) for module in modules if "NAME" in vars(module)}


def named(name: str) -> Codec:
    """The codec called `name` (``.mtok`` is mtok, too); FormatError that lists the known ones."""
    known = codecs()
    name = name if name in known else name[name.startswith(".") :]
    if name not in known:
        raise FormatError(f"unknown format {name!r}; known: {', '.join(sorted(known))}", field="format")
    return known[name]


def beside(description: Description, folder: Path, target: str) -> Description:
    """With what a model's folder says that the target can hold (a chat template, header lists)."""
    complete: Any = getattr(named(target), "beside", None)
    if complete is None:
        return description
    completed: Description = complete(description, folder)
    return completed


def by_file_name(name: str) -> Optional[str]:
    """The format that a file's name asks for: its whole name or its ending is the format's."""
    return next((known for known in codecs() if name == known or name.endswith(f".{known}")), None)


def probe(data: bytes) -> str:
    """The name of the format whose marks the bytes carry; FormatError when there is none."""
    for name, codec in codecs().items():
        if codec.probe(data):
            return name
    raise FormatError(f"not a tokenizer file of a known format ({', '.join(sorted(codecs()))})", offset=0)
