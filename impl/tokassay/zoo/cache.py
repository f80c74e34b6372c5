"""The zoo's part of the per-user cache: files by their sha256."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Optional

from tokassay.user_cache import cache_folder, file_sha256, write_atomic

from .entries import Entry
from .errors import ZooError

__all__ = ["cache_folder", "cached_path", "file_sha256", "find", "store", "write_atomic"]


def cached_path(entry: Entry, folder: Path) -> Path:
    """Where the file of an entry lies once it is fetched."""
    return folder / "zoo" / entry.sha256[:16] / Path(entry.path).name


def find(entry: Entry, folder: Path) -> Optional[Path]:
    """The cached file when it is there and is the right one; a wrong one counts as absent."""
    path = cached_path(entry, folder)
    return path if path.is_file() and file_sha256(path) == entry.sha256 else None


def store(entry: Entry, data: bytes, folder: Path) -> Path:
    """Put a file into the cache; ZooError when it is not the file that the entry names."""
    got = hashlib.sha256(data).hexdigest()
    if got != entry.sha256:
        wanted = f"the lock wants {entry.sha256} ({entry.size} bytes)"
        raise ZooError(entry.name, f"{entry.origin} has sha256 {got} ({len(data)} bytes); {wanted}")
    path = cached_path(entry, folder)
    write_atomic(path, data)
    return path
