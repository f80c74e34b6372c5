r"""Vector files as rows: read, ordered, written in one canonical form, retracted.

Canonical: one row a line, ``\n`` after each, ASCII only, fields in a fixed order, tokenizers by
name. A file that is written twice is the same bytes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Iterable, Mapping

from tokassay.checks.vector import FRAME, read_rows, row_hash, vector_files

Row = dict[str, Any]

_FIRST = ("id", "op", "kind", "level", "clauses", "source")
_LAST = ("oracle", "oracle_note", "expect", "hash")


def given(row: Mapping[str, Any]) -> Row:
    """The input of a row with its operation: what the oracle is asked."""
    return {"op": row["op"], **{name: value for name, value in row.items() if name not in FRAME}}


def arranged(row: Mapping[str, Any]) -> Row:
    """The same row with its fields in the canonical order and its content hash renewed."""
    inputs = sorted(name for name in row if name not in FRAME)
    names = (*_FIRST, *inputs, *(name for name in _LAST if name in row and name != "hash"))
    ordered = {name: row[name] for name in names}
    if "expect" in ordered:
        ordered["expect"] = dict(sorted(ordered["expect"].items()))
    return {**ordered, "hash": row_hash(ordered)}


def show(row: Mapping[str, Any]) -> str:
    """A row as its canonical line, without the line end."""
    return json.dumps(row, ensure_ascii=True, separators=(",", ":"))


def read_file(path: Path) -> list[Row]:
    """The raw rows of a file; FormatError for a line that is not JSON."""
    return [row for _, row in read_rows(path) if isinstance(row, dict)]


def read_folder(folder: Path) -> dict[Path, list[Row]]:
    """File to raw rows, for every vector file below a folder."""
    return {path: read_file(path) for path in vector_files(folder)}


def write_file(path: Path, rows: Iterable[Mapping[str, Any]]) -> bool:
    """Write rows in the canonical form; True when the file's bytes changed."""
    text = "".join(show(row) + "\n" for row in rows).encode("ascii")
    if path.is_file() and path.read_bytes() == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return True
