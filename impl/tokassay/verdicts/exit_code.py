"""What a run answers to the shell. Clauses: ``exit.*``."""

from __future__ import annotations

from tokassay.checks.verdict import FAILURES, TRIED

from .events import Tally

CONFORMS, DIVERGES, USAGE, ENGINE_DOWN, SUITE_BROKEN = 0, 1, 2, 3, 4


def exit_code(tally: Tally) -> int:
    """4 before 3 before 1 before 0; nothing tried is 4, unless an engine that is down is the cause."""
    if tally.broken:
        return SUITE_BROKEN
    if tally.down:
        return ENGINE_DOWN
    if not any(tally.counts.get(kind) for kind in TRIED):
        return SUITE_BROKEN
    failed = tally.failed_notes or any(tally.counts.get(kind) for kind in (*FAILURES, "not-run"))
    return DIVERGES if failed else CONFORMS
