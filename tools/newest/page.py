"""docs/newest.md, made of golden/newest.jsonl."""

from __future__ import annotations

import json
from typing import Any, Iterator, List, Mapping, Sequence

Line = Mapping[str, Any]
SHOWN = 48  # characters of an answer
HEAD = """# Findings, tried with the newest versions

Made by `python -m tools.newest` (`tox -e newest`; needs the network), which installs the newest version of
every engine of [findings.md](findings.md) from its registry, each by itself, and asks it what the pinned one
was asked: the inputs that are known to diverge, and those on which it equals the oracle although some other
engine does not. A workflow does so every night and goes red when something of this page changes.
`golden/newest.jsonl` holds the inputs.

`again`: the same wrong answer as the pinned version's. `right now`: fixed. `otherwise`: another wrong answer.
`equal`: inputs on which the pinned version is right, and the newest one still is. `new`: it no longer is.

"""
COLUMNS = ("engine", "package", "pinned", "newest")
COUNTS = ("inputs", "again", "right now", "otherwise", "equal", "new")


def page(lines: Sequence[Line]) -> str:
    """The page as Markdown."""
    return HEAD + "\n".join([*_table(lines), *(said for line in lines for said in _section(line))]) + "\n"


def _table(lines: Sequence[Line]) -> Iterator[str]:
    columns = (*COLUMNS, *COUNTS)
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for line in lines:
        yield f"| {' | '.join(_cells(line))} |"
    known = [line for line in lines if line["newest"]]
    totals = [str(sum(_count(line, name) for line in known)) for name in COUNTS]
    newer = sum(line["newest"] != line["pinned"] for line in known)
    yield f"| **{len(lines)} engines** | | | {newer} newer | {' | '.join(totals)} |"


def _count(line: Line, name: str) -> int:
    """Rows are listed where they changed, and counted where they did not."""
    value = line[name.partition(" ")[0]]
    return value if isinstance(value, int) else len(value)


def _cells(line: Line) -> List[str]:
    head = [line["engine"], f"`{line['package']}`", line["pinned"]]
    if line["newest"] is None:
        return [*head, "does not run", *("" for _ in COUNTS)]
    newest = "the same" if line["newest"] == line["pinned"] else line["newest"]
    return [*head, newest, *(str(_count(line, name)) for name in COUNTS)]


def _section(line: Line) -> Iterator[str]:
    """What changed with one engine; nothing where nothing did."""
    if line["newest"] is None:
        yield f"\n## {line['engine']}\n\n`{line['failed']}`"
        return
    changes = [(name, row) for name in ("right", "otherwise", "new") for row in line[name]]
    if changes:
        yield f"\n## {line['engine']} {line['newest']}\n"
        yield "| what | tokenizer | input | right | newest |"
        yield "|---|---|---|---|---|"
        for name, row in changes:
            yield f"| {' | '.join(_change(name, row))} |"


def _change(name: str, row: Mapping[str, Any]) -> Iterator[str]:
    yield {"right": "right now"}.get(name, name)
    yield row["tokenizer"] if isinstance(row["tokenizer"], str) else "small"
    yield _code(row.get("text", row.get("ids", row.get("template"))))
    yield _code(row["expected"])
    yield _code(row.get("got", row["expected"]))


def _code(value: Any) -> str:
    """As code in a table cell: ASCII, bars escaped, a long one cut."""
    text = json.dumps(value)
    text = text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
    return (f"`` {text} ``" if "`" in text else f"`{text}`").replace("|", "\\|")
