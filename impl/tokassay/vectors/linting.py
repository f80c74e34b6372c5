"""`vectors lint`: everything about the golden data that can be wrong without running an engine."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping

from tokassay.checks.vector import INLINE, is_about, read_retractions, row_hash

from . import schema
from .making import targets_of
from .rows import Row, arranged, read_folder, show
from .targets import Target

#: Committed golden data, all files together.
MOST_BYTES = 20_000_000
#: Texts that every tokenizer answers, and the kinds that they are of.
LEAST_TEXTS, LEAST_KINDS = 400, 40

_CLAUSE = re.compile(r"^### `([^`]+)`", re.MULTILINE)


@dataclass(frozen=True)
class Golden:
    """The golden data as lint sees it: the data folder, raw rows by file, and the tokenizers."""

    root: Path
    files: Mapping[Path, list[Row]]
    targets: Mapping[str, Target]

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Every row with its place for people."""
        for path, rows in self.files.items():
            for number, row in enumerate(rows, 1):
                yield f"{path.relative_to(self.root)}:{number}", row


def read_golden(root: Path, targets: Mapping[str, Target]) -> Golden:
    return Golden(root, read_folder(root / "golden" / "vectors"), targets)


def lint(golden: Golden) -> Iterator[str]:
    """Every fault, one line each."""
    sound = []
    errors = schema.reader(golden.root / "golden" / "schema" / "vector.schema.json")
    for place, row in golden.rows():
        faults = [f"{place}: {fault}" for fault in errors(row)]
        yield from faults
        sound += [] if faults else [(place, row)]
    for check in (_canonical, _unique, _clauses, _answers):
        yield from check(golden, sound)
    yield from _retractions(golden)
    yield from _amount(golden)


Rows = Iterable[tuple[str, Mapping[str, Any]]]


def _canonical(golden: Golden, rows: Rows) -> Iterator[str]:
    """Hashes, field order, file bytes, and that id, kind, operation and file agree."""
    for place, row in rows:
        if row["hash"] != row_hash(row):
            yield f"{place}: {row['id']}: the hash is not that of the row; run: tokassay vectors make"
        wanted = f"golden/vectors/{row['op']}/{row['kind']}.jsonl"
        if not place.startswith(wanted + ":") or row["id"].split("/")[0] != row["kind"]:
            yield f"{place}: {row['id']}: a row of this kind and operation belongs into {wanted}"
    for path, content in golden.files.items():
        text = "".join(show(arranged(row)) + "\n" for row in content)
        if path.read_bytes() != text.encode("ascii"):
            yield f"{path.relative_to(golden.root)}: not in the canonical form; run: tokassay vectors make"


def _unique(_: Golden, rows: Rows) -> Iterator[str]:
    ids = Counter(row["id"] for _, row in rows)
    yield from (f"{name}: {count} vectors have this id" for name, count in ids.items() if count > 1)


def clauses(root: Path) -> set[str]:
    """The anchors of docs/spec: third-level headings in back-ticks."""
    pages = sorted((root / "docs" / "spec").glob("*.md"))
    return {anchor for page in pages for anchor in _CLAUSE.findall(page.read_text(encoding="utf-8"))}


def _clauses(golden: Golden, rows: Rows) -> Iterator[str]:
    known = clauses(golden.root)
    for place, row in rows:
        missing = [name for name in row["clauses"] if name not in known]
        if missing:
            yield f"{place}: {row['id']}: no such clause in docs/spec: {', '.join(missing)}"


def _answers(golden: Golden, rows: Rows) -> Iterator[str]:
    """Every tokenizer that a row is for has answered, in its present form, and no other has."""
    for place, row in rows:
        wanted = {target.name: target for target in targets_of(row, golden.targets)}
        unknown = set(row.get("tokenizers", ())) - set(golden.targets)
        for name in sorted(unknown | (set(row["expect"]) - set(wanted))):
            yield f"{place}: {row['id']}: no tokenizer {name!r}"
        stale = [n for n, t in wanted.items() if not is_about(row["expect"].get(n, {}), t.sha256)]
        if stale:
            what = "its own tokenizer" if stale == [INLINE] else ", ".join(stale)
            yield f"{place}: {row['id']}: no answer, or an old one, of {what}; run: tokassay vectors make"


def _retractions(golden: Golden) -> Iterator[str]:
    known = {row.get("id") for _, row in golden.rows()}
    for name, reason in read_retractions(golden.root / "golden" / "retracted.jsonl").items():
        if name not in known:
            yield f"golden/retracted.jsonl: {name}: no such vector"
        if not reason.strip():
            yield f"golden/retracted.jsonl: {name}: a retraction needs a reason"


def _amount(golden: Golden) -> Iterator[str]:
    count = count_of(golden)
    if count["texts"] < LEAST_TEXTS or count["kinds"] < LEAST_KINDS:
        yield f"{count['texts']} texts of {count['kinds']} kinds; wanted are {LEAST_TEXTS} of {LEAST_KINDS}"
    if count["bytes"] > MOST_BYTES:
        yield f"golden/ holds {count['bytes']} bytes, more than {MOST_BYTES}"


def count_of(golden: Golden) -> dict[str, int]:
    """Vectors, texts for every tokenizer, their kinds, answers, and the bytes of golden/."""
    rows = [row for _, row in golden.rows()]
    narrow = {"tokenizer", "tokenizers", "file"}
    texts = [row for row in rows if row.get("op") == "encode" and not narrow & set(row)]
    files = (path for path in (golden.root / "golden").rglob("*") if path.is_file())
    return {
        "vectors": len(rows),
        "texts": len(texts),
        "kinds": len({row.get("kind") for row in texts}),
        "answers": sum(len(row.get("expect", {})) for row in rows),
        "bytes": sum(path.stat().st_size for path in files if "__pycache__" not in path.parts),
    }
