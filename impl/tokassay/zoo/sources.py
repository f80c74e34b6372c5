"""Tokenizers that the user adds: a folder on this machine, or a model on the Hub."""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path
from typing import Optional

from .entries import TOKENIZER_JSON, Entry
from .errors import ZooError


def read_hub(name: str, repo: str, revision: Optional[str], path: str) -> tuple[str, bytes]:
    """The commit and the bytes of one file on the Hub, through `huggingface_hub` where it is installed."""
    try:
        hub = import_module("huggingface_hub")
    except ImportError as error:
        raise ZooError(name, "a Hub id needs the package huggingface_hub, which is not installed") from error
    try:
        local = Path(hub.hf_hub_download(repo_id=repo, filename=path, revision=revision))
        commit = hub.get_hf_file_metadata(hub.hf_hub_url(repo, path, revision=revision)).commit_hash
        return str(commit or revision or ""), local.read_bytes()
    except Exception as error:  # the client raises many classes; all mean "not had"
        raise ZooError(
            name, f"{repo} could not be had from the Hub: {type(error).__name__}: {error}"
        ) from error


def read_folder(name: str, folder: Path, path: str) -> bytes:
    """The bytes of one file of a local folder; a path to the file itself counts as well."""
    file = folder / path if folder.is_dir() else folder
    try:
        return file.read_bytes()
    except OSError as error:
        raise ZooError(name, f"{file} cannot be read: {error.strerror}") from error


def describe(
    name: str, where: str, *, revision: Optional[str] = None, path: str = TOKENIZER_JSON
) -> tuple[Entry, bytes]:
    """An entry for what the user names, and its bytes: a path that exists is local, else a Hub id."""
    local = Path(where)
    if local.exists():
        data, registry, package, version = read_folder(name, local, path), "folder", str(local.resolve()), ""
        path = path if local.is_dir() else local.name
    elif where.count("/") == 1 and not where.startswith((".", "/")):
        version, data = read_hub(name, where, revision, path)
        registry, package = "hub", where
    else:
        raise ZooError(name, f"{where} is neither a folder, nor a file, nor a Hub id (owner/model)")
    kind = TOKENIZER_JSON if path.endswith(".json") else Path(path).suffix.lstrip(".") or "unknown"
    sha256 = hashlib.sha256(data).hexdigest()
    return Entry(name, kind, registry, package, version, path, len(data), sha256), data
