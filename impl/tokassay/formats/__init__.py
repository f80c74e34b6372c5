"""Files to descriptions and back: the format is found by content, one codec per format.

Every fault that a file can have is a `FormatError` with its path, field, byte offset (where known)
and reason; what is odd but accepted by the oracle is a warning in the description.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import Any, Optional, Union

from ..core.collecting import no_collection
from ..core.description import Description
from ..core.errors import FormatError
from .codec import Codec, by_file_name, codecs, named, probe
from .losing import Loss
from .oddities import examine
from .projecting import losses, project

__all__ = [
    "MAX_BYTES",
    "Codec",
    "Loss",
    "codecs",
    "losses",
    "parse",
    "probe",
    "project",
    "read",
    "serialize",
    "write",
]

IN_FOLDERS = ("tokenizer.json", "vocab.json", "tokenizer.model", "vocab.txt")
"""What stands for a folder, the first that is there."""
MAX_BYTES = 1 << 28
"""Files above this size are refused unread: ten times the largest published tokenizer (``json.limits``)."""

LARGE = 1 << 20
"""Bytes of files that are tables for the most part."""

StrPath = Union[str, "os.PathLike[str]"]


def read(path: StrPath, format: Optional[str] = None, strict: bool = False) -> Description:  # noqa: A002
    """The description of the tokenizer in a file.

    Args:
        path: the file, or a folder with one of `IN_FOLDERS` (clause ``json.folders``).
        format: a codec's name; None finds it by content.
        strict: turn the first warning into an error.

    Raises:
        FormatError: the file cannot be read, is of no known format, or is not what its format says.
    """
    name = in_folder(os.fspath(path))
    return parse(_with_companion(_contents(name), Path(name), format), name, format=format, strict=strict)


def in_folder(path: str) -> str:
    """The tokenizer file of a folder; any other path as it is. FormatError when a folder has none."""
    if not os.path.isdir(path):  # noqa: PTH112 - a path may hold what `Path` refuses
        return path
    inside = [str(Path(path) / name) for name in IN_FOLDERS]
    found = next((file for file in inside if os.path.isfile(file)), None)  # noqa: PTH113
    if found is None:
        raise FormatError(f"is a folder without any of {', '.join(IN_FOLDERS)}", path=path)
    return found


def _with_companion(data: bytes, path: Path, format: Optional[str]) -> bytes:  # noqa: A002
    """With the file that a codec wants beside it (``COMPANION``), where it is there."""
    try:
        codec: Any = named(format or probe(data))
    except FormatError:
        return data  # `parse` says what is wrong
    beside = path.with_name(getattr(codec, "COMPANION", "") or path.name)
    return codec.joined(data, _contents(str(beside))) if beside != path and beside.is_file() else data


def parse(
    data: bytes,
    name: str = "",
    *,
    format: Optional[str] = None,  # noqa: A002
    strict: bool = False,
) -> Description:
    """`read` for bytes in memory; `name` stands for the path in errors."""
    try:
        with no_collection(keep=len(data) > LARGE):
            description = examine(named(format or probe(data)).parse(data), whole=strict)
        if strict and description.warnings:
            first = description.warnings[0]
            raise FormatError(first.reason, field=first.field, offset=first.offset)  # noqa: TRY301 - the path is added below
    except FormatError as error:
        raise _placed(error, data, format).at(name) from error.__cause__
    belongs_to = getattr(description.model, "belongs_to", None)
    if belongs_to is not None and name:
        belongs_to(name)
    return description


def _placed(error: FormatError, data: bytes, format: Optional[str]) -> FormatError:  # noqa: A002
    """With the offset of its field, where the codec can find that (``locate``) and did not say."""
    if error.offset is not None or error.field is None:
        return error
    try:
        locate: Any = getattr(named(format or probe(data)), "locate", None)
        offset = None if locate is None else locate(data, error.field)
    except FormatError:
        return error  # there is no such format
    return FormatError(error.reason, field=error.field, path=error.path, offset=offset)


def serialize(description: Description, format: str = "tokenizer.json") -> bytes:  # noqa: A002
    """The bytes of a file; FormatError when that format cannot hold the description."""
    return named(format).serialize(description)


def write(description: Description, path: StrPath, format: Optional[str] = None) -> None:  # noqa: A002
    """Write a file whole or not at all: under a temporary name beside it, then renamed.

    `format` None: what the file's name says, else tokenizer.json.
    """
    target = Path(path)
    data = serialize(description, format or by_file_name(target.name) or "tokenizer.json")
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _at_once(path: str, flags: int) -> int:
    """Opens a pipe without waiting for somebody who writes into it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _contents(path: str) -> bytes:
    try:
        with open(path, "rb", opener=_at_once) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):  # a pipe that nobody writes, a device without an end
                raise FormatError("cannot be read: no regular file", path=path)
            # As much as there is: a buffer of the limit's size would be asked for at once.
            data = file.read(min(found.st_size or MAX_BYTES, MAX_BYTES) + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"cannot be read: {reason}", path=path) from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"is larger than {MAX_BYTES} bytes", path=path, offset=MAX_BYTES)
    return data
