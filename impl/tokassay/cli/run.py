"""Run the suites against engines and print the matrix engine x tokenizer x suite.

Without arguments: the engines reference and hf (where it is installed), every embedded tokenizer,
every suite. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from tokassay import engines
from tokassay.checks import suites
from tokassay.checks.vector import LEVELS

from ._common import HELP_TOKENIZER, at_least
from ._jobs import can_spread, processors, spread
from ._limits import add_limits, limits_of
from ._output import add_output, finished, shown
from ._plan import Selection, plan

NAME = "run"
__all__ = ["HELP", "NAME", "configure", "run", "shown"]
HELP = "the main job: run the suites against engines, print the matrix"


def configure(parser: argparse.ArgumentParser) -> None:
    def several(flag: str, metavar: str, what: str) -> None:
        parser.add_argument(flag, action="append", default=[], metavar=metavar, help=what)

    several("--engine", "E", f"engine address, repeatable (known: {', '.join(engines.adapters())})")
    several("--tokenizer", "T", f"{HELP_TOKENIZER}, or `zoo` for all real ones; repeatable")
    several("--suite", "S", f"suite, repeatable (known: {', '.join(suites())})")
    several("--level", "L", f"only vectors of this level, repeatable (known: {', '.join(LEVELS)})")
    several("--vector", "GLOB", "only vectors whose id matches, repeatable")
    parser.add_argument(
        "--original",
        metavar="T",
        help="the tokenizer that --tokenizer was exported from: it has the right answers",
    )
    parser.add_argument("--vectors", type=Path, metavar="PATH", help="other vectors: a folder, a file")
    parser.add_argument(
        "--jobs",
        type=at_least(1),
        metavar="N",
        help="processes for engines that live in this one (default: processors, up to 4)",
    )
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="native engines in this process, not in a child of their own: faster, and an abort ends the run",
    )
    add_output(parser)
    add_limits(parser)


def run(args: argparse.Namespace) -> int:
    """Exit code as the footer of the run says it."""
    selection = Selection(
        tuple(args.engine),
        tuple(args.tokenizer),
        tuple(args.suite),
        tuple(args.level),
        tuple(args.vector),
        args.vectors,
        limits_of(args),
        args.divergences,
        args.in_process,
        args.original,
    )
    whole, jobs = plan(selection), args.jobs or processors()
    spreads = jobs > 1 and len(whole.targets) * len(whole.engines) > 1 and can_spread(whole)
    return finished(args, whole, selection, partial(spread, jobs=jobs) if spreads else None)
