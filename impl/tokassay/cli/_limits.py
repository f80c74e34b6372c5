"""``--timeout --memory --restarts --validate``: what an engine in a child process may use."""

from __future__ import annotations

import argparse

from tokassay.engines.wire import Limits

from ._common import at_least, seconds

_DEFAULT = Limits()


def add_limits(parser: argparse.ArgumentParser) -> None:
    """The options, in a group of their own."""
    group = parser.add_argument_group("engines in a child process (exec, py, cabi, child)")
    group.add_argument(
        "--timeout",
        type=seconds,
        default=_DEFAULT.seconds,
        metavar="S",
        help="seconds for one case (%(default)g)",
    )
    group.add_argument(
        "--memory", type=at_least(1), metavar="MB", help="address space in MiB; past it allocations fail"
    )
    group.add_argument(
        "--restarts",
        type=at_least(0),
        default=_DEFAULT.restarts,
        metavar="N",
        help="how often an engine is started again before it is given up (%(default)d)",
    )
    group.add_argument(
        "--validate", action="store_true", help="check every message against its JSON Schema (slow)"
    )


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits that were asked for."""
    return Limits(seconds=args.timeout, memory_mb=args.memory, restarts=args.restarts, validate=args.validate)
