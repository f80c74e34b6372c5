"""Read a report again. A truncated or damaged one is refused with exit code 4."""

from __future__ import annotations

import argparse
from pathlib import Path

from tokassay.report.writing import read_report
from tokassay.verdicts.events import Footer

from .run import shown

NAME = "report"
HELP = "read reports: show"


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    show = actions.add_parser("show", help="failures and matrix of a report, with the exit code of its run")
    show.add_argument("path", type=Path, metavar="DIR_OR_FILE")
    show.add_argument(
        "--failures", type=int, default=20, metavar="N", help="show at most N failures (default: 20)"
    )


def run(args: argparse.Namespace) -> int:
    """The exit code that the run ended with."""
    events = read_report(args.path)
    print("\n".join(shown(events, limit=args.failures)))
    return next(event.exit_code for event in events if isinstance(event, Footer))
