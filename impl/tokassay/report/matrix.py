"""The matrix engine x tokenizer x suite with counts: colours on a terminal, plain text elsewhere."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import IO, Dict, Iterable, List, Mapping, Sequence, Tuple

from tokassay.checks.verdict import FAILURES, KINDS, Verdict
from tokassay.verdicts.events import Event, NotRun

Key = Tuple[str, str, str]  # engine, tokenizer, suite
MARKS: Mapping[str, str] = {  # in the order in which a cell shows them
    "diverge": "diverge",
    "error": "error",
    "crash": "crash",
    "timeout": "timeout",
    "unexpected-pass": "unexpected",
    "known": "known",
    "unsupported": "unsupported",
    "not-run": "not run",
}


@dataclass
class Matrix:
    """Counts per cell and kind, collected while events go by."""

    cells: Dict[Key, Dict[str, int]] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, Verdict):
            key, kind = (event.engine, event.tokenizer, event.suite), event.kind
            cell = self.cells.get(key) or self.cells.setdefault(key, {})
            cell[kind] = cell.get(kind, 0) + 1
        elif isinstance(event, NotRun):
            self.count((event.engine, event.tokenizer, event.suite), "not-run", event.count)

    def count(self, key: Key, kind: str, count: int) -> None:
        """Add to one cell."""
        if not count:
            return
        cell = self.cells.setdefault(key, {})
        cell[kind] = cell.get(kind, 0) + count

    @property
    def suites(self) -> List[str]:
        return sorted({suite for _, _, suite in self.cells})

    @property
    def rows(self) -> List[Tuple[str, str]]:
        """(engine, tokenizer) in the order of their first event."""
        return list(dict.fromkeys((engine, tokenizer) for engine, tokenizer, _ in self.cells))

    def totals(self) -> Dict[str, int]:
        total = dict.fromkeys(KINDS, 0)
        for cell in self.cells.values():
            for kind, count in cell.items():
                total[kind] += count
        return {kind: count for kind, count in total.items() if count}


def collected(events: Iterable[Event]) -> Matrix:
    """The matrix of a whole report."""
    matrix = Matrix()
    for event in events:
        matrix.add(event)
    return matrix


def cell_text(cell: Mapping[str, int]) -> str:
    """``412`` when all pass, else ``409/412 3 diverge``; a dot when the suite has nothing here."""
    total = sum(cell.values())
    if not total:
        return "."
    passed = cell.get("pass", 0)
    if passed == total:
        return str(total)
    rest = ", ".join(f"{cell[kind]} {mark}" for kind, mark in MARKS.items() if cell.get(kind))
    return f"{passed}/{total} {rest}"


def cell_colour(cell: Mapping[str, int]) -> str:
    if any(cell.get(kind) for kind in FAILURES):
        return "red"
    if not cell.get("pass"):
        return "dim"
    return "green" if set(cell) == {"pass"} else "yellow"


def rendered(matrix: Matrix, out: IO[str]) -> str:
    """The matrix for a stream: with rich on a terminal where it is installed, else plain columns."""
    if out.isatty():
        try:
            return _coloured(matrix, out)
        except ImportError:
            pass
    return plain(matrix)


def plain(matrix: Matrix) -> str:
    """The matrix as columns of plain text."""
    rows = [["engine", "tokenizer", *matrix.suites]] + [
        [engine, tokenizer, *(cell_text(cell) for cell in _cells(matrix, engine, tokenizer))]
        for engine, tokenizer in matrix.rows
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(item.ljust(width) for item, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def _cells(matrix: Matrix, engine: str, tokenizer: str) -> Sequence[Mapping[str, int]]:
    return [matrix.cells.get((engine, tokenizer, suite), {}) for suite in matrix.suites]


def _coloured(matrix: Matrix, out: IO[str]) -> str:
    from rich.console import Console  # noqa: PLC0415 - an extra
    from rich.table import Table  # noqa: PLC0415 - an extra
    from rich.text import Text  # noqa: PLC0415 - an extra

    table = Table("engine", "tokenizer", *matrix.suites, box=None, header_style="bold", pad_edge=False)
    for engine, tokenizer in matrix.rows:
        cells = _cells(matrix, engine, tokenizer)
        table.add_row(Text(engine), Text(tokenizer), *(Text(cell_text(c), cell_colour(c)) for c in cells))
    buffer = io.StringIO()
    Console(file=buffer, force_terminal=True, width=Console(file=out).width).print(table)
    return buffer.getvalue()
