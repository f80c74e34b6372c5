"""The per-user cache: files by their sha256, written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Mapping, Optional

from .entries import Entry
from .errors import ZooError


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """``$TOKASSAY_CACHE``, else ``$XDG_CACHE_HOME/tokassay``, else ``~/.cache/tokassay``."""
    if environ.get("TOKASSAY_CACHE"):
        return Path(environ["TOKASSAY_CACHE"])
    base = environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return Path(base) / "tokassay"


def cached_path(entry: Entry, folder: Path) -> Path:
    """Where the file of an entry lies once it is fetched."""
    return folder / "zoo" / entry.sha256[:16] / Path(entry.path).name


def find(entry: Entry, folder: Path) -> Optional[Path]:
    """The cached file when it is there and is the right one; a wrong one counts as absent."""
    path = cached_path(entry, folder)
    return path if path.is_file() and file_sha256(path) == entry.sha256 else None


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def store(entry: Entry, data: bytes, folder: Path) -> Path:
    """Put a file into the cache; ZooError when it is not the file that the entry names."""
    got = hashlib.sha256(data).hexdigest()
    if got != entry.sha256:
        wanted = f"the lock wants {entry.sha256} ({entry.size} bytes)"
        raise ZooError(entry.name, f"{entry.origin} has sha256 {got} ({len(data)} bytes); {wanted}")
    path = cached_path(entry, folder)
    write_atomic(path, data)
    return path


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
