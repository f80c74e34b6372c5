"""One file for a device: the board side as a zipapp, and the archive of real tokenizers.

The same sources give the same bytes: names are sorted, times are fixed, and JSON is written in one form.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping

from tokassay import __version__, data, zoo
from tokassay.checks.vector import INLINE, read_rows, vector_files
from tokassay.device.asked import CHAT_TEMPLATES, tokenizer_files
from tokassay.device.making import compiled
from tokassay.zoo.chat_templates import template_of

SHEBANG = b"#!/usr/bin/env python3\n"
FIXED = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can hold
BOARD_SIDE = ("core", "formats", "lookup", "checks", "verdicts", "device")
LEFT_OUT = ("node",)  # of the engines: servers for another runtime
MODULES = ("__init__.py", "data.py", "user_cache.py")
PACKAGES = ("jinja2", "markupsafe")  # of chat templates
Content = tuple[str, bytes]


def bundle() -> bytes:
    """The zipapp. Raises FormatError where the checkout's data is broken."""
    contents = dict(_contents())
    contents["manifest.json"] = manifest(contents)
    contents["version.txt"] = f"tokassay-board {__version__}\n".encode("ascii")
    return SHEBANG + _zipped(contents)


def archive(names: Iterable[str]) -> bytes:
    """Real tokenizers, which lie in the cache, with the vectors that are about them, as one zip file.

    Raises ValueError with the names that are not there.
    """
    located = zoo.locate(list(names))
    if located.absent:
        raise ValueError(f"not in the cache: {', '.join(sorted(located.absent))}; run: tokassay zoo fetch")
    contents = {
        f"golden/tokenizers/{name}/tokenizer.json": path.read_bytes()
        for name, path in located.present.items()
    }
    contents.update(_vectors(set(located.present)))
    return _zipped(contents)


def templates() -> bytes:
    """What chat templates need, as one zip file: the package `chat`, jinja2 and markupsafe, all in Python.

    Real templates that vectors name are in it where the zoo's files are in the cache.
    Raises PackageNotFoundError where jinja2 is not installed here.
    """
    contents = {
        f"tokassay/chat/{path.name}": path.read_bytes()
        for path in Path(__file__).resolve().parent.parent.glob("chat/*.py")
    }
    for name in PACKAGES:
        contents.update(_installed(name))
    real = {name: text for name in _named_templates() if (text := template_of(name)) is not None}
    contents[CHAT_TEMPLATES] = json.dumps(real, sort_keys=True).encode("ascii")
    return _zipped(contents)


def _named_templates() -> set[str]:
    """Real templates that vectors name."""
    paths = (data.root() / "golden" / "vectors" / "template").glob("*.jsonl")
    rows: list[Any] = [row for path in paths for _, row in read_rows(path)]
    return {row["template"]["zoo"] for row in rows if isinstance(row["template"], dict)}


def _installed(name: str) -> Iterator[Content]:
    """An installed distribution: what is Python, its version, its licence; nothing that was compiled."""
    for path in metadata.distribution(name).files or ():
        if path.suffix == ".py" or path.name == "METADATA" or path.name.startswith("LICENSE"):
            yield path.as_posix(), path.read_binary()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def manifest(contents: Mapping[str, bytes]) -> bytes:
    """What is inside: sha256 by name, and what the host makes of the tokenizers, for comparison."""
    files = tokenizer_files(data.root())
    told = {
        "version": __version__,
        "sha256": {name: sha256(content) for name, content in sorted(contents.items())},
        "compiled": compiled(files, files),
    }
    return json.dumps(told, indent=1, sort_keys=True).encode("ascii") + b"\n"


def _contents() -> Iterator[Content]:
    package, root = Path(__file__).resolve().parent.parent, data.root()
    yield "__main__.py", (root / "runners" / "board" / "__main__.py").read_bytes()
    for name in MODULES:
        yield f"impl/tokassay/{name}", (package / name).read_bytes()
    for part in (*BOARD_SIDE, "engines"):
        for path in sorted((package / part).rglob("*.py")):
            inner = path.relative_to(package)
            if not set(inner.parts) & {*LEFT_OUT, "__pycache__"}:
                yield f"impl/tokassay/{inner.as_posix()}", path.read_bytes()
    files = tokenizer_files(root)
    for name, path in files.items():
        yield f"golden/tokenizers/{name}/tokenizer.json", path.read_bytes()
    yield from _vectors({*files, INLINE}).items()
    retracted = root / "golden" / "retracted.jsonl"
    if retracted.is_file():
        yield "golden/retracted.jsonl", retracted.read_bytes()


def _vectors(tokenizers: set[str]) -> dict[str, bytes]:
    """File → its rows that hold an answer for one of the tokenizers, other answers left out."""
    folder, found = data.root() / "golden" / "vectors", {}
    for path in vector_files(folder):
        rows = [row for _, parsed in read_rows(path) if (row := _narrowed(parsed, tokenizers))]
        if rows:
            name = f"golden/vectors/{path.relative_to(folder).as_posix()}"
            found[name] = b"".join(map(_line, rows))
    return found


def _line(row: Mapping[str, Any]) -> bytes:
    """Keys in their order: a template sees that of a message."""
    return json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n"


def _narrowed(row: Any, tokenizers: set[str]) -> Mapping[str, Any] | None:
    kept = {name: answer for name, answer in row["expect"].items() if name in tokenizers}
    return {**row, "expect": kept} if kept else None


def _zipped(contents: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name in sorted(contents):
            info = zipfile.ZipInfo(name, FIXED)
            info.external_attr = 0o644 << 16
            info.create_system = 3  # the same on every host
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, contents[name], compresslevel=9)
    return buffer.getvalue()
