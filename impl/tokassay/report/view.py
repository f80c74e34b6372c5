"""What the page says about a run, as plain values: the template only prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Sequence, Tuple

from tokassay.checks.verdict import FAILURES, KINDS, TRIED
from tokassay.verdicts.exit_code import CONFORMS

from .matrix import MARKS
from .summary import Summary

Counts = Mapping[str, int]
OPEN_ROWS = 12  # an engine that fails on more tokenizers shows them on demand only
ORDER = (*MARKS, "pass")
LABELS = {**MARKS, "pass": "pass"}
#: How a kind looks: colours come in four families, each with a text label beside it.
FAMILY = {**dict.fromkeys(KINDS, "idle"), **dict.fromkeys(FAILURES, "fail"), "known": "known", "pass": "pass"}


@dataclass(frozen=True)
class CellView:
    """One cell of the matrix. `state`: fail, known, idle, pass or none."""

    state: str
    label: str
    detail: str
    suite: str


@dataclass(frozen=True)
class RowView:
    """One engine, or one tokenizer of an engine."""

    name: str
    cells: Tuple[CellView, ...]


@dataclass(frozen=True)
class EngineView:
    """One engine with its totals. `bar`: family, x and width (of 100) of the parts of its bar."""

    name: str
    version: str
    state: str
    label: str
    tried: int
    failed: int
    worst: str
    total: RowView
    rows: Tuple[RowView, ...]
    open: bool
    bar: Tuple[Tuple[str, float, float], ...]
    parts: Tuple[Tuple[str, str, int], ...]  # family, label, count


@dataclass(frozen=True)
class Headline:
    """The first thing that a reader sees. `state`: fail, known (nothing proven) or pass."""

    state: str
    number: str
    sentence: str
    word: str


def thousands(count: int) -> str:
    return f"{count:,}"


def share(part: float) -> str:
    """A part of one as a percentage: nothing that exists is 0 %."""
    return f"{part * 100:.0f} %" if part >= 0.01 else "under 1 %"


def added(cells: Sequence[Counts]) -> Dict[str, int]:
    """The sum of several cells."""
    total: Dict[str, int] = {}
    for cell in cells:
        for kind, count in cell.items():
            total[kind] = total.get(kind, 0) + count
    return total


def state_of(cell: Counts) -> str:
    """The family of the most serious kind in a cell."""
    families = [FAMILY[kind] for kind in ORDER if cell.get(kind)]
    if "fail" in families:
        return "fail"
    if "known" in families:
        return "known"
    return "pass" if "pass" in families else ("idle" if families else "none")


def cell_view(suite: str, cell: Counts) -> CellView:
    """`label` names the most serious kind, `detail` the rest."""
    state, total, passed = state_of(cell), sum(cell.values()), cell.get("pass", 0)
    if not total:
        return CellView("none", "\u2013", "", suite)
    family = [kind for kind in ORDER if cell.get(kind) and FAMILY[kind] == state]
    label = ", ".join(f"{thousands(cell[kind])} {LABELS[kind]}" for kind in family)
    others = [kind for kind in ORDER if cell.get(kind) and FAMILY[kind] != state]
    detail = ", ".join(f"{thousands(cell[kind])} {LABELS[kind]}" for kind in others)
    if state in ("fail", "known"):
        detail = f"{thousands(passed)} of {thousands(total)} pass"
    return CellView(state, label, detail, suite)


def engine_views(summary: Summary) -> List[EngineView]:
    """Every engine that the run names, those with failures first."""
    names = {engine: None for engine, _, _ in summary.matrix.cells}
    header = summary.header
    versions = {str(e["name"]): str(e.get("version", "")) for e in (header.engines if header else ())}
    names.update(dict.fromkeys(versions))
    views = [_engine(name, versions.get(name, ""), summary) for name in names]
    return sorted(views, key=lambda view: view.failed == 0)


def _engine(name: str, version: str, summary: Summary) -> EngineView:
    matrix = summary.matrix
    tokenizers = [tokenizer for engine, tokenizer in matrix.rows if engine == name]
    suites = {
        suite: added([matrix.cells.get((name, tokenizer, suite), {}) for tokenizer in tokenizers])
        for suite in matrix.suites
    }
    counts = added(list(suites.values()))
    failed = sum(count for kind, count in counts.items() if kind in FAILURES)
    return EngineView(
        name=name,
        version=version,
        state=state_of(counts),
        label=_verdict(counts),
        tried=sum(count for kind, count in counts.items() if kind in TRIED),
        failed=failed,
        worst=_worst(suites),
        total=RowView(name, tuple(cell_view(suite, cell) for suite, cell in suites.items())),
        rows=tuple(_row(name, tokenizer, summary) for tokenizer in tokenizers),
        open=bool(failed) and len(tokenizers) <= OPEN_ROWS,
        bar=_bar(counts),
        parts=tuple((FAMILY[kind], LABELS[kind], counts[kind]) for kind in ORDER if counts.get(kind)),
    )


def _row(engine: str, tokenizer: str, summary: Summary) -> RowView:
    matrix = summary.matrix
    cells = ((suite, matrix.cells.get((engine, tokenizer, suite), {})) for suite in matrix.suites)
    return RowView(tokenizer, tuple(cell_view(suite, cell) for suite, cell in cells))


def _verdict(counts: Counts) -> str:
    if TRIED.isdisjoint(kind for kind, count in counts.items() if count):
        return "nothing tried"
    return {"fail": "diverges", "known": "known divergences only"}.get(state_of(counts), "conforms")


def _worst(suites: Mapping[str, Counts]) -> str:
    """The suites with failures, the worst first."""
    failed = {suite: sum(cell.get(kind, 0) for kind in FAILURES) for suite, cell in suites.items()}
    worst = sorted((count, suite) for suite, count in failed.items() if count)[::-1]
    return ", ".join(f"{thousands(count)} in {suite}" for count, suite in worst[:4])


def _bar(counts: Counts) -> Tuple[Tuple[str, float, float], ...]:
    """Parts of a bar of 100; what is there at all is seen."""
    total, at, parts = sum(counts.values()), 0.0, []
    for family in ("fail", "known", "idle", "pass"):
        count = sum(count for kind, count in counts.items() if FAMILY[kind] == family)
        if count:
            width = max(0.8, 100 * count / total)
            parts.append((family, round(at, 2), round(width, 2)))
            at += width
    return tuple((family, round(x * 100 / at, 2), round(w * 100 / at, 2)) for family, x, w in parts)


def headline(summary: Summary) -> Headline:
    """The result in one number and one sentence."""
    totals, failed = summary.matrix.totals(), summary.failures
    code = summary.footer.exit_code if summary.footer else None
    if failed:
        word = "check failed" if failed == 1 else "checks failed"
        return Headline("fail", thousands(failed), _where(summary), word)
    if TRIED.isdisjoint(totals):
        return Headline("known", "0", "Nothing was tried, so nothing is proven.", "checks tried")
    tried = thousands(sum(totals.get(kind, 0) for kind in TRIED))
    if code not in (None, CONFORMS):
        return Headline(
            "fail", "0", f"But the run ended with exit code {code}: see the notes.", "checks failed"
        )
    return Headline("pass", "0", f"All {tried} checks that were tried agree.", "checks failed")


def _where(summary: Summary) -> str:
    failing: Dict[str, int] = {}
    for (engine, _, _), cell in summary.matrix.cells.items():
        failing[engine] = failing.get(engine, 0) + sum(cell.get(kind, 0) for kind in FAILURES)
    names = [engine for engine, count in sorted(failing.items(), key=lambda item: -item[1]) if count]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"in {len(names)} of {len(failing)} engines: {', '.join(names[:3])}{more}"


def tiles(summary: Summary) -> List[Tuple[str, str, str]]:
    """Family, number and label of the big numbers, without kinds that the run did not meet."""
    totals = summary.matrix.totals()
    return [(FAMILY[kind], thousands(totals[kind]), LABELS[kind]) for kind in ORDER if totals.get(kind)]


def worst_cells(summary: Summary, most: int = 8) -> List[Tuple[str, str, str, int, float]]:
    """Engine, tokenizer, suite, failures, and their share of what was tried: the most failures first.

    At most three of one engine: the others fail as well.
    """
    found: Dict[str, List[Tuple[str, str, str, int, float]]] = {}
    for (engine, tokenizer, suite), cell in summary.matrix.cells.items():
        failed = sum(cell.get(kind, 0) for kind in FAILURES)
        if failed:
            tried = sum(cell.get(kind, 0) for kind in TRIED)
            found.setdefault(engine, []).append((engine, tokenizer, suite, failed, failed / tried))
    few = [row for rows in found.values() for row in sorted(rows, key=lambda row: -row[3])[:3]]
    return sorted(few, key=lambda row: -row[3])[:most]
