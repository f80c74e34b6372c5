"""What a run leaves behind: its options, and how its events are recorded and shown."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Callable, ContextManager, Iterable, Iterator, List, Optional

from tokassay.checks.verdict import TRIED, Verdict
from tokassay.diagnosis.findings import Options, conclude
from tokassay.report import matrix
from tokassay.report.failures import Failures
from tokassay.report.progress import Progress
from tokassay.report.writing import recorder
from tokassay.verdicts.driver import Plan
from tokassay.verdicts.driver import run as run_plan
from tokassay.verdicts.events import Event, Finding, Footer, to_json
from tokassay.verdicts.exit_code import SUITE_BROKEN
from tokassay.verdicts.showing import found

from ._common import at_least, duration, warn
from ._divergences import draft
from ._plan import Selection, addresses

Body = Callable[[Plan], Iterator[Event]]


def add_output(parser: argparse.ArgumentParser) -> None:
    """``--report --failures --json --divergences --write-divergences --cards --diagnose``."""
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write results.jsonl, report.html, junit.xml, ... there"
    )
    parser.add_argument(
        "--failures", type=at_least(0), default=20, metavar="N", help="show at most N failures (default: 20)"
    )
    parser.add_argument("--json", action="store_true", help="events as JSON Lines instead of the matrix")
    parser.add_argument(
        "--divergences", type=Path, metavar="FILE", help="known divergences of the engines (TOML)"
    )
    parser.add_argument(
        "--cards",
        "--reproduce",
        type=Path,
        metavar="DIR",
        help="write a reproducer for each finding: few tokens, few characters",
    )
    parser.add_argument(
        "--diagnose",
        type=duration,
        default=5.0,
        metavar="S",
        help="seconds for one finding, 12 times that for an engine on a tokenizer, 60 times for a run; "
        "0: failures are not diagnosed (%(default)g)",
    )
    parser.add_argument(
        "--write-divergences", type=Path, metavar="FILE", help="draft that file from the failures of this run"
    )


def finished(args: argparse.Namespace, plan: Plan, selection: Selection, body: Optional[Body] = None) -> int:
    """Run a plan to its end, record and show it; the exit code. `body`: see `driver.run`."""
    if args.diagnose > 0:
        known = addresses(selection, plan.engines, plan.down)
        options = Options(args.diagnose, args.cards, known, _progress)
        plan = replace(plan, conclude=lambda failed: conclude(plan, failed, options))
    events = run_plan(plan, body)
    for note in selection.notes:
        warn(note)
    keep: ContextManager[Callable[[Event], None]] = (
        recorder(args.report) if args.report else nullcontext(_ignore)
    )
    with keep as record:
        if args.write_divergences:
            every = not (selection.vectors or selection.levels)
            events = _drafted(events, args.write_divergences, plan, whole=every)
        return _show(events, record, as_json=args.json, limit=args.failures)


def _drafted(events: Iterable[Event], path: Path, plan: Plan, *, whole: bool) -> Iterator[Event]:
    """The events; when they have gone by, the list of their failures is written."""
    failed = []
    for event in events:
        if (isinstance(event, Verdict) and event.failed) or isinstance(event, Finding):
            failed.append(event)
        yield event
    path.write_text(draft(failed, plan, whole=whole), "utf-8", newline="\n")
    warn(f"{path}: known divergences drafted; fill in the reasons")


def _progress(line: str) -> None:
    """A line on stderr that the next one overwrites; on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line[:100]}\r")
        sys.stderr.flush()


class Result:
    """What is printed at the end, collected while events go by."""

    def __init__(self, limit: int) -> None:
        self.table, self.failures, self.footer = matrix.Matrix(), Failures(limit), Footer({}, 0, SUITE_BROKEN)
        self.findings: List[Finding] = []
        self.limit = limit

    def add(self, event: Event) -> None:
        self.table.add(event)
        if isinstance(event, Verdict) and event.kind == "pass":
            return
        self.failures.add(event)
        if isinstance(event, Finding):
            self.findings.append(event)
        if isinstance(event, Footer):
            self.footer = event

    def lines(self) -> List[str]:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.footer.counts.items()))
        end = f"{counts or 'nothing'} in {self.footer.seconds:.1f} s; exit code {self.footer.exit_code}"
        return [
            *self.failures.lines(),
            *found(self.findings, self.limit),
            *self._reasons(),
            matrix.rendered(self.table, sys.stdout),
            end,
        ]

    def _reasons(self) -> List[str]:
        if TRIED.isdisjoint(self.footer.counts):
            return ["nothing was tried: this proves nothing", ""]
        return []


def _ignore(event: Event) -> None:
    del event


def _show(events: Iterable[Event], record: Callable[[Event], None], *, as_json: bool, limit: int) -> int:
    result, progress, code = Result(limit), Progress(sys.stderr), SUITE_BROKEN
    for event in events:
        record(event)
        progress.add(event)
        if as_json:
            print(to_json(event))
        else:
            result.add(event)
        if isinstance(event, Footer):
            code = event.exit_code
    progress.end()
    if not as_json:
        print("\n".join(result.lines()))
    return code


def shown(events: Iterable[Event], *, limit: int) -> List[str]:
    """A whole run as lines: failures, what did not run, matrix, counts."""
    result = Result(limit)
    for event in events:
        result.add(event)
    return result.lines()
