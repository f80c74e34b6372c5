"""A run as one HTML file that needs nothing else: no network, no other file.

What engines and vectors say is never markup: the template escapes everything, the failures are ASCII JSON
in a data block without angle brackets, and the script builds text nodes only. A content security policy
allows that one script and nothing from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

from tokassay import __version__
from tokassay.verdicts.events import Header

from . import coverage, latency, view
from .summary import Summary

TEMPLATES = Path(__file__).parent / "templates"
MOST_BYTES = 3_000_000  # of failures and findings in one page
MOST_CARDS = 20  # of one cause
PIPELINE = ("added tokens", "normalizer", "pre-tokenizer", "model", "post-processor")


def rendered(summary: Summary, folder: Optional[Path] = None) -> str:
    """The page; reproducer cards below `folder`, where it will lie, are links.

    Raises ImportError without jinja2 (extra ``report``).
    """
    return str(template("report.html.j2").render(**_values(summary, folder)))


def template(name: str) -> Any:
    """A template of this package, for every page alike: all is escaped, nothing unprintable gets through.

    Raises ImportError without jinja2 (extra ``report``).
    """
    import jinja2  # noqa: PLC0415 - an extra

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(thousands=view.thousands, share=view.share, prose=_prose)
    return environment.get_template(name)


def _values(summary: Summary, folder: Optional[Path]) -> Dict[str, Any]:
    failures, left_out = _bounded(summary)
    causes = summary.causes()
    findings = [_linked(finding, folder) for finding in causes]
    script = _part("report.js")
    engines = view.engine_views(summary)
    pages = coverage.pages(summary.clauses) if summary.clauses else []
    clauses = [clause.state for page in pages for clause in page.clauses]
    return {
        "version": __version__,
        "style": _part("report.css"),
        "script": script,
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "data": _data_block({"findings": findings, "failures": failures, "pipeline": PIPELINE}),
        "header": summary.header or Header("", "", "", "", (), (), ()),
        "footer": summary.footer,
        "headline": view.headline(summary),
        "tiles": view.tiles(summary),
        "engines": engines,
        "suites": summary.matrix.suites,
        "worst": view.worst_cells(summary),
        "findings": len(findings),
        "findings_left_out": summary.findings_left_out,
        "failures": len(failures),
        "left_out": left_out,
        "notes": sorted(summary.notes, key=lambda note: not note.serious),
        "notes_left_out": summary.notes_left_out,
        "unsupported": _reasons(summary),
        "pages": pages,
        "clauses_all": len(clauses),
        "clauses_tried": len(clauses) - clauses.count("not tried"),
        "clauses_failed": clauses.count("failed"),
        "plots": latency.plots(summary.calls),
        "untimed": _untimed(summary),
        "plot_width": latency.WIDTH,
        "plot_height": latency.HEIGHT,
    }


def printable(value: Any) -> Any:
    """Controls, surrogates and what turns the direction of text, as escapes; our own parts as they are."""
    if isinstance(value, (list, tuple)):
        return [printable(one) for one in value]
    if isinstance(value, dict):
        return {printable(name): printable(one) for name, one in value.items()}
    if type(value) is not str or value.isprintable():
        return value
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in value)


def _bounded(summary: Summary) -> Tuple[List[Mapping[str, Any]], int]:
    """The failures that the page holds, and how many verdicts (known ones included) it leaves out."""
    room = MOST_BYTES - len(_json(summary.findings))
    rows: List[Mapping[str, Any]] = []
    for row in summary.shown():
        room -= len(_json(row))
        if room < 0:
            break
        rows.append(row)
    every = summary.failures + summary.matrix.totals().get("known", 0)
    return rows, every - sum(row.get("times", 1) for row in rows)


def _linked(finding: Mapping[str, Any], folder: Optional[Path]) -> Mapping[str, Any]:
    """With its cards as path and link; a link is "" where the card lies elsewhere."""
    return {**finding, "cards": [(card, _link(card, folder)) for card in finding["cards"][:MOST_CARDS]]}


def _link(card: str, folder: Optional[Path]) -> str:
    if folder is None:
        return ""
    path = Path(os.path.relpath(card, folder))
    return "" if ".." in path.parts or path.is_absolute() else path.as_posix()


def _reasons(summary: Summary) -> List[Tuple[str, str, str]]:
    return [
        (engine, reason, ", ".join(f"{count:,} in {suite}" for suite, count in counts.items()))
        for (engine, reason), counts in summary.unsupported.items()
    ]


def _untimed(summary: Summary) -> List[str]:
    tried = dict.fromkeys(engine for engine, _, _ in summary.matrix.cells)
    return [engine for engine in tried if not summary.calls.get(engine)]


def _part(name: str) -> str:
    """A part of the page that is ours."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    return markupsafe.Markup((TEMPLATES / name).read_text("utf-8"))  # noqa: S704


def _prose(text: str) -> str:
    """A sentence of the specification, what stands in backticks as code."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    parts = [markupsafe.escape(part) for part in text.split("`")]
    coded = (
        markupsafe.Markup("<code>%s</code>") % part if place % 2 else part for place, part in enumerate(parts)
    )
    return markupsafe.Markup("").join(coded)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def _data_block(value: object) -> str:
    """JSON that can neither end the block it stands in nor begin another one."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    text = _json(printable(value))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return markupsafe.Markup(text)  # noqa: S704 - made harmless above
