"""A run in Markdown, for the summary page of a CI job: what failed and where, in one screen."""

from __future__ import annotations

import re
from typing import Any, List, Mapping, Sequence

from . import view
from .summary import Summary

MOST = 10  # rows of a list
CELL = 160  # characters of one cell

_PLAIN = re.compile(r"[^\w ./:,;()+=%'\"#@-]")


def document(summary: Summary) -> str:
    """The whole page; it does not grow with the run."""
    top = view.headline(summary)
    lines = [f"## tokassay: {top.number} {top.word}", "", _text(top.sentence), ""]
    lines += [
        f"- **{_text(note.title)}**: {_text(note.where)}: {_text(note.reason)}"
        for note in [note for note in summary.notes if note.serious][:MOST]
    ]
    lines += [*_engines(summary), *_worst(summary), *_findings(summary), *_failures(summary), *_end(summary)]
    return "\n".join(lines) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> List[str]:
    """A table, and an empty line before and after it."""
    lines = [head, ["---"] * len(head), *rows]
    return ["", *("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines), ""]


def code(value: str) -> str:
    """A value in code font, on one line and without what would end the font or the cell."""
    shown = value if len(value) <= CELL else value[:CELL] + " ..."
    clean = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in shown)
    return f"`{clean.replace('`', chr(0x2BB)).replace('|', chr(0xA6))}`" if clean else ""


def _text(value: str) -> str:
    """Prose from outside: every character that Markdown or HTML could read as its own is escaped."""
    shown = value if len(value) <= 4 * CELL else value[: 4 * CELL] + " ..."
    return _PLAIN.sub(lambda match: f"&#{ord(match.group())};", shown.replace("\n", " "))


def _engines(summary: Summary) -> List[str]:
    rows = [
        (
            code(engine.name),
            code(engine.version),
            engine.label,
            view.thousands(engine.tried),
            view.thousands(engine.failed),
            engine.worst,
        )
        for engine in view.engine_views(summary)
    ]
    return table(("engine", "version", "result", "tried", "failed", "where"), rows) if rows else []


def _worst(summary: Summary) -> List[str]:
    rows = [
        (code(engine), code(tokenizer), code(suite), view.thousands(failed), view.share(share))
        for engine, tokenizer, suite, failed, share in view.worst_cells(summary)
    ]
    head = ("engine", "tokenizer", "suite", "failed", "of those tried")
    return ["### Most failures", *table(head, rows)] if rows else []


def _findings(summary: Summary) -> List[str]:
    causes = summary.causes()
    rows = [
        (
            code(row["engine"]),
            _names(row["tokenizers"]),
            _text(row["cause"]),
            row["count"],
            code(row.get("text", "")),
        )
        for row in causes[:MOST]
    ]
    left = len(causes) + summary.findings_left_out - len(rows)
    head = ("engine", "tokenizer", "likely cause", "verdicts", "smallest input")
    return ["### Findings", *table(head, rows), *_more(left, "findings")] if rows else []


def _names(tokenizers: Mapping[str, int]) -> str:
    first, *others = tokenizers
    return code(first) + (f" and {len(others)} more" if others else "")


def _failures(summary: Summary) -> List[str]:
    if summary.findings or not summary.failures:
        return []
    chosen = [row for row in summary.shown(MOST) if row["kind"] != "known"]
    rows = [
        (row["kind"], *(code(row[name]) for name in ("engine", "tokenizer", "vector")), _what(row))
        for row in chosen
    ]
    left = summary.failures - sum(row.get("times", 1) for row in chosen)
    head = ("verdict", "engine", "tokenizer", "vector", "what")
    return ["### Failures", *table(head, rows), *_more(left, "failures")]


def _what(row: Mapping[str, Any]) -> str:
    if "difference" in row:
        return _text(f"{row['difference']['what']} differs first at {row['difference']['first']}")
    return _text(row.get("reason", ""))


def _more(count: int, what: str) -> List[str]:
    return (
        [f"{view.thousands(count)} more {what} are in report.html and results.jsonl.", ""]
        if count > 0
        else []
    )


def _end(summary: Summary) -> List[str]:
    totals = ", ".join(f"{number} {label}" for _, number, label in view.tiles(summary))
    footer = summary.footer
    end = f" in {footer.seconds:.1f} s; exit code {footer.exit_code}" if footer else ""
    return ["", f"{totals or 'no verdicts'}{end}"]
