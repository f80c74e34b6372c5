"""`vectors add`, `vectors retract`, `vectors export`: the golden data changed and handed out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping

from tokassay.checks.vector import read_retractions
from tokassay.core.errors import TokassayError

from .rows import Row, arranged, read_file, read_folder, write_file


class EditError(TokassayError):
    """An edit that cannot be done as asked: the id is taken, or does not exist."""


@dataclass(frozen=True)
class Draft:
    """What a person says about a new text; everything else is computed.

    Attributes:
        id: ``kind/topic``.
        given: ``text`` or ``bytes_hex``, perhaps ``pair``.
        clauses: anchors of docs/spec.
        source: kind and reference.
    """

    id: str
    given: Mapping[str, str]
    clauses: tuple[str, ...]
    source: tuple[str, str] = ("hand", "")
    level: str = "must"
    note: str = ""


_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*")


def usual_clauses(folder: Path, kind: str) -> tuple[str, ...]:
    """The clauses of the first vector of a kind; EditError for a new kind."""
    path = folder / "encode" / f"{kind}.jsonl"
    if not path.is_file():
        raise EditError(f"{kind!r} is a new kind: say which clause of docs/spec it is about (--clause)")
    return tuple(read_file(path)[0]["clauses"])


def add(folder: Path, draft: Draft) -> Path:
    """Append a row without answers to its file; the path. `make` computes the answers."""
    kind = draft.id.partition("/")[0]
    if not _ID.fullmatch(draft.id):
        raise EditError(f"an id is kind/topic in small letters, digits and hyphens, not {draft.id!r}")
    if any(row["id"] == draft.id for rows in read_folder(folder).values() for row in rows):
        raise EditError(f"there is a vector {draft.id} already; ids never change their meaning")
    path = folder / "encode" / f"{kind}.jsonl"
    write_file(path, [*(read_file(path) if path.is_file() else []), _scaffold(draft, kind)])
    return path


def _scaffold(draft: Draft, kind: str) -> Row:
    row: Row = {
        "id": draft.id,
        "op": "encode",
        "kind": kind,
        "level": draft.level,
        "clauses": list(draft.clauses),
        "source": {"kind": draft.source[0], "ref": draft.source[1]},
        "oracle": {"name": "tokenizers", "version": ""},
        "expect": {},
        **draft.given,
    }
    return arranged({**row, "oracle_note": draft.note} if draft.note else row)


def retract(golden: Path, name: str, reason: str) -> None:
    """List a vector as retracted: it stays where it is and is not run any more."""
    known = {row["id"] for rows in read_folder(golden / "vectors").values() for row in rows}
    path = golden / "retracted.jsonl"
    had = read_retractions(path)
    if name not in known:
        raise EditError(f"no vector {name}")
    if name in had:
        raise EditError(f"{name} is retracted already: {had[name]}")
    if not reason.strip():
        raise EditError("a retraction needs a reason")
    rows = [*({"id": each, "reason": why} for each, why in had.items()), {"id": name, "reason": reason}]
    write_file(path, rows)
