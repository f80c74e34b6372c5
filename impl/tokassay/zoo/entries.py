"""The lock file of the zoo: which real tokenizers there are, and where each can be had."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import tomllib

from tokassay.core.errors import FormatError
from tokassay.core.fields import Fields

#: Registries that `tokassay.zoo.registries` can fetch from.
REGISTRIES = ("pypi", "npm", "hub", "folder")
#: The kind of file that the golden vectors run on.
TOKENIZER_JSON = "tokenizer.json"

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Entry:
    """One file of a published package, pinned by its content.

    Attributes:
        name: short name, as `--tokenizer` takes it.
        kind: format of the file (``tokenizer.json``, ``tiktoken``, ``sentencepiece``, ...).
        registry: one of `REGISTRIES`.
        package: package name, Hub id, or the folder's path.
        version: version or revision; empty for a folder.
        path: the file inside the package, with forward slashes.
        size: bytes.
        sha256: of the file.
        license: as the package states it.
        about: one line on what is inside.
    """

    name: str
    kind: str
    registry: str
    package: str
    version: str
    path: str
    size: int
    sha256: str
    license: str = "unstated"
    about: str = ""

    @property
    def origin(self) -> str:
        """Where the file comes from, for people."""
        version = f"@{self.version}" if self.version else ""
        return f"{self.registry}:{self.package}{version}/{self.path}"


def read_entry(name: str, value: object) -> Entry:
    """One table of the lock file; FormatError names the field that is wrong."""
    fields = Fields.of(value, name)
    if not _NAME.fullmatch(name):
        raise FormatError(f"{name!r} is not a short name (a-z, 0-9, _, -, .)", field=name)
    if not _SHA256.fullmatch(fields.string("sha256")):
        raise fields.error("sha256", "expected 64 lower-case hexadecimal digits")
    if ".." in fields.string("path").split("/"):
        raise fields.error("path", "must stay inside the package")
    return Entry(
        name=name,
        kind=fields.string("kind"),
        registry=fields.choice("registry", REGISTRIES),
        package=fields.string("package"),
        version=fields.string("version", ""),
        path=fields.string("path"),
        size=fields.integer("size"),
        sha256=fields.string("sha256"),
        license=fields.string("license", "unstated"),
        about=fields.string("about", ""),
    )


def read_lock(path: Path) -> tuple[Entry, ...]:
    """Every entry of a lock file, in its order; empty where the file is absent."""
    if not path.is_file():
        return ()
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return tuple(read_entry(name, value) for name, value in tables.items())
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not TOML: {error}", path=str(path)) from error
    except FormatError as error:
        raise error.at(str(path)) from error


def show_entry(entry: Entry) -> str:
    """An entry as a table of the lock file."""
    names = ("kind", "registry", "package", "version", "path", "size", "sha256", "license", "about")
    lines = (f"{name} = {json.dumps(getattr(entry, name), ensure_ascii=False)}" for name in names)
    return "\n".join([f"[{entry.name}]", *lines, ""])
