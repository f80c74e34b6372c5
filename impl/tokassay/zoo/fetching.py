"""Which tokenizers there are, which of them are here, and getting the others."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Callable, Iterable, Iterator, Mapping, Optional

from tokassay import data

from . import cache, registries, sources
from .entries import TOKENIZER_JSON, Entry, read_lock, show_entry
from .errors import ZooError


@dataclass(frozen=True)
class Located:
    """What a run can use, and what it has to say it did not run.

    Attributes:
        present: short name to the file in the cache.
        absent: short name to the reason why it is not there.
    """

    present: Mapping[str, Path]
    absent: Mapping[str, str]


@dataclass(frozen=True)
class Outcome:
    """One entry after a fetch: the path, or the error."""

    entry: Entry
    path: Optional[Path] = None
    error: Optional[ZooError] = None
    fresh: bool = False


def locked() -> dict[str, Entry]:
    """The committed lock, by short name."""
    return {entry.name: entry for entry in read_lock(data.root() / "golden" / "zoo.toml")}


def entries(folder: Optional[Path] = None) -> dict[str, Entry]:
    """The committed lock and what the user added (which wins), by short name."""
    return {**locked(), **{entry.name: entry for entry in read_lock(_added_lock(folder))}}


def _added_lock(folder: Optional[Path]) -> Path:
    return (folder or cache.cache_folder()) / "zoo" / "added.toml"


def select(names: Iterable[str], known: Mapping[str, Entry]) -> list[Entry]:
    """The entries that the names mean; ZooError for a name that does not exist."""
    chosen = []
    for name in names:
        if name not in known:
            raise ZooError(name, f"no such tokenizer in the zoo; there are {', '.join(known)}")
        chosen.append(known[name])
    return chosen


def locate(
    names: Optional[Iterable[str]] = None, folder: Optional[Path] = None, kind: str = TOKENIZER_JSON
) -> Located:
    """Where the named tokenizers are (all of one kind without names), without any network."""
    folder = folder or cache.cache_folder()
    known = entries(folder)
    chosen = [e for e in known.values() if e.kind == kind] if names is None else select(names, known)
    paths = {entry.name: cache.find(entry, folder) for entry in chosen}
    absent = {
        name: f"not fetched; run: tokassay zoo fetch {name}" for name, path in paths.items() if not path
    }
    return Located({name: path for name, path in paths.items() if path}, absent)


def fetch(chosen: Iterable[Entry], folder: Optional[Path] = None) -> Iterator[Outcome]:
    """Get every entry that is not cached yet, one download for each package; errors are outcomes."""
    folder = folder or cache.cache_folder()
    missing: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in chosen:
        path = cache.find(entry, folder)
        if path:
            yield Outcome(entry, path)
        else:
            missing.setdefault((entry.registry, entry.package, entry.version), []).append(entry)
    for group in missing.values():
        yield from _fetch_package(group, folder)


def _fetch_package(group: list[Entry], folder: Path) -> Iterator[Outcome]:
    if group[0].registry in ("hub", "folder"):
        yield from (_attempt(entry, _from_source, folder) for entry in group)
        return
    with tempfile.TemporaryDirectory(prefix="tokassay-zoo-") as scratch:
        try:
            archive = registries.download(group[0], Path(scratch))
        except ZooError as error:
            yield from (Outcome(entry, error=ZooError(entry.name, error.reason)) for entry in group)
            return
        for entry in group:
            yield _attempt(entry, partial(registries.extract, archive=archive), folder)


def _attempt(entry: Entry, read: Callable[[Entry], bytes], folder: Path) -> Outcome:
    try:
        return Outcome(entry, cache.store(entry, read(entry), folder), fresh=True)
    except ZooError as error:
        return Outcome(entry, error=error)


def _from_source(entry: Entry) -> bytes:
    if entry.registry == "folder":
        return sources.read_folder(entry.name, Path(entry.package), entry.path)
    return sources.read_hub(entry.name, entry.package, entry.version or None, entry.path)[1]


def add(
    name: str,
    where: str,
    *,
    revision: Optional[str] = None,
    path: str = TOKENIZER_JSON,
    folder: Optional[Path] = None,
) -> Outcome:
    """Add a folder's or a Hub model's tokenizer under a short name; its content is pinned from now on."""
    folder = folder or cache.cache_folder()
    entry, content = sources.describe(name, os.fspath(where), revision=revision, path=path)
    stored = cache.store(entry, content, folder)
    lock = _added_lock(folder)
    kept = [other for other in read_lock(lock) if other.name != name]
    text = "\n".join(show_entry(each) for each in [*kept, replace(entry, about="added by the user")])
    cache.write_atomic(lock, text.encode("utf-8"))
    return Outcome(entry, stored, fresh=True)
