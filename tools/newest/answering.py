"""What an engine answers to rows of golden/findings, asked by an interpreter that need not be this one.

Usage: python -m tools.newest.answering ANSWERS < ASKED

ASKED holds ``{"groups": [{"engine": ADDRESS, "path": FILE, "rows": [...]}]}``; ANSWERS gets the version that
answered and one list of answers for each group. Templates need no file: `rendered` is asked instead.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence

from tokassay import engines
from tokassay.checks.engine import CrashError, FaultError, RefusalError, TimeLimitError
from tokassay.checks.judging import kind_of

Row = Mapping[str, Any]
FAILURES = (FaultError, CrashError, RefusalError, TimeLimitError)


def answer(session: Any, row: Row) -> Any:
    """Ids without special tokens (unless the row wants them), a text with them; or how it failed."""
    try:
        if row["op"] == "load":
            return "loads"
        return _ids(session, row) if row["op"] == "encode" else _text(session, row)
    except FAILURES as error:
        return kind_of(error)


def _ids(session: Any, row: Row) -> List[int]:
    special = {"add_special_tokens": row.get("special_tokens", False)}
    options = special if "add_special" in session.info.capabilities else {}
    return list(session.encode(row["text"], row.get("pair"), **options).ids)


def _text(session: Any, row: Row) -> str:
    options = {"skip_special_tokens": False} if "skip_special" in session.info.capabilities else {}
    return str(session.decode(row["ids"], **options))


def answers(engine: Any, path: str, rows: Sequence[Row]) -> List[Any]:
    """What comes of loading the file and asking it."""
    try:
        session = engine.load(path)
    except FAILURES as error:
        return [kind_of(error)] * len(rows)
    return [answer(session, row) for row in rows]


def of_group(group: Mapping[str, Any]) -> Dict[str, Any]:
    """The version of the engine and its answers."""
    engine = engines.open(group["engine"], isolate=True)
    try:
        return {"version": engine.info.version, "answers": answers(engine, group["path"], group["rows"])}
    finally:
        getattr(engine, "close", lambda: None)()


def main() -> int:
    """Each group has a process of its own where the engine has: nothing of one file is left for the next."""
    found = [of_group(group) for group in json.load(sys.stdin)["groups"]]
    Path(sys.argv[1]).write_text(json.dumps(found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
