"""Boards in Markdown, for a release note: what was verified, on what, and what may be said of its latency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokassay.board.verifying import Verified

from . import board_host, board_view
from .board_page import Cell, Row, rows
from .markdown import code, table


def document(runs: Sequence[Verified]) -> str:
    """The note. Latency that cannot be claimed is left out, and the note says so."""
    lines = ["## Verified on boards", *table(HEAD, [_run(found) for found in runs])]
    lines += [line for found in runs for line in _notes(found)]
    for found in runs:
        lines += ["", f"### {_name(found)}: host and board", *_host(found)]
    claimable = [found for found in runs if not found.unclaimable]
    if claimable:
        head = (
            "operation",
            "core",
            *map(_name, claimable),
        )
        lines += ["", "### Latency, median (p99)", *table(head, [_row(row) for row in rows(claimable)])]
    lines += ["", "Check it again: `tokassay board verify FOLDER --allowed-signers FILE`."]
    return "\n".join(lines) + "\n"


HEAD = ("board", "processors", "started", "result", "verdicts", "signed by")


def _name(found: Verified) -> str:
    return code(f"{board_view.title(found)} ({board_view.board(found)}, {board_view.date(found)[:10]})")


def _run(found: Verified) -> tuple[str, ...]:
    counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(found.summary["counts"].items()))
    return (
        _name(found),
        code(board_view.processors(found)),
        board_view.date(found),
        found.summary["result"].lower(),
        counts,
        code(found.signer),
    )


def _notes(found: Verified) -> Iterator[str]:
    """Labels, and the sums by which the folder is known."""
    for label in board_view.labels(found):
        yield f"- {_name(found)}: {label.title[0].lower()}{label.title[1:]}: {code('; '.join(label.reasons))}"
    if found.unclaimable:
        yield f"- {_name(found)}: no latency is told."
    bundle = found.evidence.request["bundle"]
    yield f"- {_name(found)}: run {code(found.evidence.request['run'])}, bundle {code(f'sha256:{bundle}')}"


def _host(found: Verified) -> Iterator[str]:
    """Suite by suite, one sum over all tokenizers; those that are not equal by name."""
    cores = [f"board, {name}" for name in board_host.cores(found)]
    head = ("suite", "engine", *cores, "board, threads", "host", "tokenizers")
    rows = board_host.rows(found)
    yield from table(head, [_together(one) for one in board_host.together(rows)])
    for row in rows:
        if row.state != board_host.EQUAL:
            note = f": {code(row.note)}" if row.note else ""
            yield f"- {code(row.suite)}, {code(row.engine)}, {code(row.tokenizer)}: {row.state}{note}"
    yield f"- Of the host: {code(found.again.told)}"


def _together(one: board_host.Together) -> tuple[str, ...]:
    sums = (code(board_host.short(total)) if total else "" for total in one.sums)
    states = ", ".join(f"{count} {state}" for state, count in one.states.items())
    return code(one.suite), code(one.engine), *sums, states


def _row(row: Row) -> tuple[str, ...]:
    engine, tokenizer, operation, core = row.name
    return f"{code(operation)} {code(engine)} {code(tokenizer)}", code(core), *map(_cell, row.cells)


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    change = "" if cell.change is None else f", {cell.change:+.1f} %"
    return f"{cell.p50} ({cell.p99}){change}"
