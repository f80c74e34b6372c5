"""The per-user cache: what was fetched or made once. Files appear in it whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Mapping


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """``$TOKASSAY_CACHE``, else ``$XDG_CACHE_HOME/tokassay``, else ``~/.cache/tokassay``."""
    if environ.get("TOKASSAY_CACHE"):
        return Path(environ["TOKASSAY_CACHE"])
    base = environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return Path(base) / "tokassay"


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        os.unlink(name)  # noqa: PTH108
        raise
