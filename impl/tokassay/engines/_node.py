"""Engines in Node: npm packages, fetched once with the user's own npm, and the programs that drive them.

An adapter names its packages with version and integrity; they are installed without running any of their
scripts into a folder of the per-user cache, and the ``.mjs`` programs of the folder ``node`` are put beside.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Mapping, Optional, Sequence

from tokassay.checks.engine import AddressError, UnavailableError
from tokassay.user_cache import cache_folder, write_atomic

from .wire import Limits, WireEngine, start
from .wire.child import Command

SECONDS = 900  # for an installation
OLDEST_NODE = 18
PROGRAMS = Path(__file__).parent / "node"
_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", "--prefer-offline")


@dataclass(frozen=True)
class Package:
    """One npm package. `integrity` is what the registry's metadata and npm's lock file call so."""

    name: str
    version: str
    integrity: str


def chosen(packages: Sequence[Package], version: str) -> Sequence[Package]:
    """The packages at another version (``3.22.1``, or a tag as ``latest``); "" is the pinned one.

    Those whose versions go with the first one's take it, too. What the registry says is asked with npm, and
    not pinned by anybody. Raises AddressError and UnavailableError.
    """
    if not version:
        return packages
    if not re.fullmatch(r"[0-9A-Za-z][\w.+-]*", version):
        raise AddressError(f"{packages[0].name}: {version!r} is no version", "3.22.1, or latest")
    pinned = packages[0].version
    return [_at(one, version) if one.version == pinned else one for one in packages]


def _at(package: Package, version: str) -> Package:
    """The package as its registry describes it at that version."""
    fields = ("version", "dist.integrity")
    said = _npm(package.name, "view", f"{package.name}@{version}", *fields, "--json")
    try:
        found = json.loads(said)
        return Package(package.name, *(found[field] for field in fields))
    except (ValueError, KeyError, TypeError) as error:
        reason = f"{package.name}: the registry has no version {version!r}"
        raise UnavailableError(reason, said.strip()[:200]) from error


def start_node(name: str, packages: Sequence[Package], limits: Limits) -> WireEngine:
    """The engine that the program ``NAME.mjs`` drives, in a child. Raises UnavailableError."""
    node = _program("node", name)
    folder = install(name, packages)
    words = [node, *_heap(limits), str(_programs(folder) / f"{name}.mjs")]
    # V8 reserves far more address space than it uses: its heap is limited instead.
    return start(Command(tuple(words), name), replace(limits, memory_mb=None))


def _heap(limits: Limits) -> Sequence[str]:
    return [] if limits.memory_mb is None else [f"--max-old-space-size={limits.memory_mb}"]


def _program(program: str, name: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise UnavailableError(
            f"{name} needs {program}, which is not on PATH", f"install Node.js {OLDEST_NODE} or newer"
        )
    return found


def install(name: str, packages: Sequence[Package]) -> Path:
    """The folder whose ``node_modules`` holds the packages, installed now where they are not yet."""
    manifest = _manifest(packages)
    key = hashlib.sha256(json.dumps([manifest, [p.integrity for p in packages]]).encode()).hexdigest()
    folder = cache_folder() / "node" / f"{name}-{packages[0].version}-{key[:12]}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".part-") as scratch:
            whole = Path(scratch) / name
            whole.mkdir()
            (whole / "package.json").write_text(manifest, "utf-8")
            _npm(name, "install", *_OPTIONS, "--loglevel=error", folder=whole)
            _check(name, packages, whole)
            _publish(whole, folder)
    return folder


def _manifest(packages: Sequence[Package]) -> str:
    wanted = {package.name: package.version for package in packages}
    return json.dumps({"private": True, "dependencies": wanted})


def _npm(name: str, *words: str, folder: Optional[Path] = None) -> str:
    """What npm says. Raises UnavailableError."""
    hint = "is the npm registry reachable? It is needed once, then the packages lie in the cache"
    try:
        done = subprocess.run(
            [_program("npm", name), *words],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"{name}: npm {words[0]} failed: {error}", hint) from error
    if done.returncode:
        said = [line.strip() for line in (done.stderr or done.stdout).strip().splitlines() if line.strip()]
        raise UnavailableError(f"{name}: npm {words[0]} failed: {'; '.join(said[:3])}", hint)
    return done.stdout


def _check(name: str, packages: Sequence[Package], folder: Path) -> None:
    """Nothing of a package has run yet; what is not the pinned one is never used."""
    lock = json.loads((folder / "node_modules" / ".package-lock.json").read_text("utf-8"))
    found: Mapping[str, Mapping[str, str]] = lock["packages"]
    for package in packages:
        got = found.get(f"node_modules/{package.name}", {}).get("integrity")
        if got != package.integrity:
            wanted = f"{package.name}@{package.version} with integrity {package.integrity}"
            raise UnavailableError(
                f"{name}: npm installed {got} instead of {wanted}",
                "the registry serves another file; nothing of it was run",
            )


def _publish(whole: Path, folder: Path) -> None:
    """Rename into place; a folder that another process put there meanwhile is the same one."""
    try:
        os.rename(whole, folder)  # noqa: PTH104
    except OSError:
        if not folder.is_dir():
            raise


def _programs(folder: Path) -> Path:
    """The programs beside ``node_modules``, because Node looks for packages from where a program lies."""
    sources = {path.name: path.read_bytes() for path in sorted(PROGRAMS.glob("*.mjs"))}
    digest = hashlib.sha256(repr(sources).encode()).hexdigest()[:12]
    target = folder / f"programs-{digest}"
    for name, content in sources.items():
        if not (target / name).is_file():
            write_atomic(target / name, content)
    return target
