"""The files of a folder as they lie there, and their JSON in the strict sense.

Each file is read once, and never through a link: what is hashed is what is read. JSON that two readers could
take for two things is refused: a key twice, NaN, a number beyond its type, a byte order mark.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokassay.device import folder as names

EVERY = (*names.SUBJECTS, names.STATEMENT, names.SIGNATURE)
BESIDE = (names.PID, names.PROGRESS)  # of a run that goes on; no evidence, and never read
MOST_BYTES = 1 << 30  # of one file
MOST_DIGITS = 24


@dataclass(frozen=True)
class Problem:
    """Why a folder is refused. `field` is a path within the file, "" where the whole file is meant."""

    file: str
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.field}: {self.reason}" if self.field else f"{self.file}: {self.reason}"


class EvidenceError(Exception):
    """A folder that proves nothing; `problems` says why, with file and field."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def read_folder(folder: Path) -> Mapping[str, bytes]:
    """File → content, of exactly the files of an evidence folder. Raises EvidenceError."""
    problems = list(_foreign(folder))
    found: dict[str, bytes] = {}
    for name in EVERY:
        try:
            found[name] = _content(folder / name)
        except (OSError, ValueError) as error:  # noqa: PERF203 - every file is told
            reason = "is missing" if isinstance(error, FileNotFoundError) else _reason(error)
            problems.append(Problem(name, "", reason))
    if problems:
        raise EvidenceError(problems)
    return found


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return "is a symbolic link" if error.errno == errno.ELOOP else str(error.strerror or error)
    return str(error)


def _foreign(folder: Path) -> Iterator[Problem]:
    """What lies in the folder and is no part of the evidence: a reader could take it for one."""
    try:
        held = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise EvidenceError([Problem(str(folder), "", str(error.strerror))]) from error
    for name in held:
        if name not in EVERY and name not in BESIDE:
            yield Problem(name, "", "is no part of an evidence folder")


def _content(path: Path) -> bytes:
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(number, "rb") as file:  # noqa: PTH123 - opened above, without following
        held = os.fstat(number)
        if not stat.S_ISREG(held.st_mode):
            raise ValueError("is no regular file")
        if held.st_size > MOST_BYTES:
            raise ValueError(f"has {held.st_size} bytes, more than {MOST_BYTES}")
        return file.read(MOST_BYTES + 1)


def parsed(name: str, data: bytes) -> Any:
    """The value of one JSON text, in ASCII. Raises EvidenceError."""
    return _parsed(name, "", data)


def lines(name: str, data: bytes) -> list[Any]:
    """The values of a JSON Lines file, whose last line ends as every other one. Raises EvidenceError."""
    parts = data.split(b"\n")
    if parts.pop() != b"":
        raise EvidenceError([Problem(name, f"[{len(parts)}]", "the last line is cut off")])
    return [_parsed(name, f"[{number}]", part) for number, part in enumerate(parts)]


def _parsed(name: str, where: str, data: bytes) -> Any:
    try:
        return json.loads(
            data.decode("ascii"),
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=_whole,
            parse_float=_float,
        )
    except (ValueError, RecursionError) as error:
        raise EvidenceError([Problem(name, where, f"no plain JSON: {_short(error)}")]) from error


def _short(error: Exception) -> str:
    return str(error)[:200]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands there twice")
    return found


def _constant(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text)} digits")
    return int(text)


def _float(text: str) -> float:
    found = float(text)
    if not math.isfinite(found) or len(text) > 2 * MOST_DIGITS:
        raise ValueError(f"the number {text[:40]} is out of range")
    return found
