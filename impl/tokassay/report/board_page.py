"""Pages of boards: one for each run, and one that sets boards and dates side by side.

As the report of a run: one file each, no script at all, nothing from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokassay import __version__
from tokassay.board.verifying import Verified

from . import board_host, board_plots, board_view
from .latency import duration
from .page import TEMPLATES, template

INDEX, NOTE = "index.html", "release-note.md"


@dataclass(frozen=True)
class Cell:
    """A median in the table of comparison; `change`: against the oldest run of the same board, in percent."""

    p50: str
    p99: str
    change: float | None
    claimable: bool


@dataclass(frozen=True)
class Row:
    """One operation on one kind of core, over all runs; None where a run has no such series."""

    name: tuple[str, str, str, str]
    cells: tuple[Cell | None, ...]


def page_name(found: Verified) -> str:
    """Of the file: board and run, with nothing in it that a file name should not hold."""
    name = f"{found.evidence.controller['board']}-{found.evidence.request['run']}"
    return f"{re.sub(r'[^A-Za-z0-9._-]', '_', name).lstrip('.')}.html"


def ordered(runs: Sequence[Verified]) -> list[Verified]:
    """Board by board, the older run first."""
    return sorted(runs, key=lambda one: (board_view.title(one), board_view.board(one), board_view.date(one)))


def rows(runs: Sequence[Verified]) -> list[Row]:
    """Every operation of any run."""
    medians = [_medians(found) for found in runs]
    names = dict.fromkeys(name for told in medians for name in told)
    return [Row(name, _cells(name, runs, medians)) for name in names]


def _medians(found: Verified) -> dict[tuple[str, str, str, str], dict[str, int]]:
    return {
        (one["engine"], one["tokenizer"], one["operation"], board_view.core_name(one["part"])): one
        for one in found.summary["latency"]
    }


def _cells(name: Any, runs: Sequence[Verified], medians: Sequence[Any]) -> tuple[Cell | None, ...]:
    first: dict[str, int] = {}
    cells: list[Cell | None] = []
    for found, told in zip(runs, medians, strict=True):
        if name not in told:
            cells.append(None)
            continue
        p50, board = told[name]["p50"], found.evidence.controller["board"]
        change = (p50 / first[board] - 1) * 100 if board in first else None
        first.setdefault(board, p50)
        cells.append(Cell(duration(p50), duration(told[name]["p99"]), change, not found.unclaimable))
    return tuple(cells)


def rendered(found: Verified, index: str = "") -> str:
    """The page of one run; `index`: the page that it is linked from. Raises ImportError without jinja2."""
    values = {"found": found, "index": index, "plots": board_plots, "host": board_host}
    return str(template("board.html.j2").render(**_common(), **values, labels=list(board_view.labels(found))))


def comparison(runs: Sequence[Verified]) -> str:
    """The page that leads to the others. Raises ImportError without jinja2."""
    links = [page_name(found) for found in runs]
    values = {"runs": list(zip(runs, links, strict=True)), "rows": rows(runs)}
    values["models"] = list(dict.fromkeys(map(board_view.title, runs)))
    return str(template("boards.html.j2").render(**_common(), **values))


def _common() -> dict[str, Any]:
    style = (TEMPLATES / "report.css").read_text("utf-8") + (TEMPLATES / "board.css").read_text("utf-8")
    return {"version": __version__, "style": style, "view": board_view}


def write(runs: Sequence[Verified], folder: Path) -> list[Path]:
    """The pages and the note for a release. Raises ImportError without jinja2, OSError."""
    from .board_note import document  # noqa: PLC0415 - it names the pages of this module

    found = ordered(runs)
    index = INDEX if len(found) > 1 else ""
    texts = {page_name(one): rendered(one, index) for one in found}
    texts[INDEX] = comparison(found)
    texts[NOTE] = document(found)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
    return [folder / name for name in texts]
