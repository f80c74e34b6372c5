"""Device files made on the board: the same bytes as on the host, with the same statistics."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Dict, Iterable, Mapping, Optional

from tokassay import formats
from tokassay.core.description import Description
from tokassay.core.errors import TokassayError
from tokassay.formats import vocab_bin

FORMATS = ("vocab.bin", "mtok", "tokenizer.txt")


def compiled(files: Mapping[str, Path], names: Iterable[str]) -> Dict[str, Dict[str, Any]]:
    """Tokenizer → format → sha256, and vocab.bin's statistics; a format that cannot hold it is left out."""
    return {name: found for name in names if (found := _made(files[name]))}


def _made(path: Path) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    description = formats.read(path)
    for name in FORMATS:
        data = device_file(description, name)
        if data is None:
            continue
        found[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
        if name == "vocab.bin":
            found[name]["statistics"] = dict(vocab_bin.statistics(description))
    return found


def device_file(description: Description, name: str) -> Optional[bytes]:
    """A tokenizer in a format, None where the format cannot hold it."""
    try:
        return formats.serialize(formats.project(description, name), name)
    except TokassayError:
        return None
