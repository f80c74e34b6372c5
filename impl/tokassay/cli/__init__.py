"""The command line: one file per subcommand, found by name.

A command is a module of this package with ``NAME`` (as typed), ``HELP`` (one line),
``configure(parser)`` and ``run(args) -> int`` (the exit code).
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from typing import Dict, Mapping, Optional, Protocol, Sequence

from tokassay import __version__
from tokassay.checks.engine import UnavailableError
from tokassay.core.errors import FormatError, TokassayError
from tokassay.engines import AddressError
from tokassay.verdicts.events import ReportError
from tokassay.verdicts.exit_code import DIVERGES, ENGINE_DOWN, SUITE_BROKEN, USAGE

EPILOG = """exit codes:
  0  conforms
  1  divergences (crashes, timeouts, errors and unexpected passes count as such)
  2  usage, or an input file that cannot be used
  3  an engine could not be started, or used up its restarts
  4  the suite or its data is broken, a report is truncated, or nothing ran
Where several hold: 2, 4, 3, 1, 0 in that order. Results go to stdout, everything else to stderr.
"""


class UsageError(Exception):
    """What was asked for makes no sense; `hint` says what would."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(f"{reason}\n  {hint}" if hint else reason)


class SuiteError(Exception):
    """The suite or its data is broken, or nothing ran."""


class Command(Protocol):
    """What a command module holds."""

    NAME: str
    HELP: str

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def commands() -> Mapping[str, Command]:
    """Name → command, in the order of the names."""
    found: Dict[str, Command] = {}
    for info in pkgutil.iter_modules(__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{__name__}.{info.name}")
            if hasattr(module, "NAME"):
                found[module.NAME] = module
    return dict(sorted(found.items()))


def parser() -> argparse.ArgumentParser:
    """The whole command line, every command included."""
    top = argparse.ArgumentParser(
        prog="tokassay",
        description="The proof that a tokenizer is exact.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"tokassay {__version__}")
    below = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in commands().items():
        child = below.add_parser(
            name,
            help=command.HELP,
            description=command.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.configure(child)
        child.set_defaults(run_command=command.run)
    return top


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run one command; the exit code, never an exception that a user can cause."""
    args = parser().parse_args(argv)
    try:
        return int(args.run_command(args))
    except BrokenPipeError:  # the reader of stdout has gone; nothing more can be said there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DIVERGES
    except (UsageError, SuiteError, ReportError, UnavailableError, TokassayError, OSError) as error:
        return failed(error)
    except KeyboardInterrupt:
        return 130


def failed(error: Exception) -> int:
    """Say what went wrong on stderr; the exit code that belongs to it."""
    print(f"tokassay: {error}", file=sys.stderr)
    if isinstance(error, (ReportError, SuiteError)):
        return SUITE_BROKEN
    down = isinstance(error, UnavailableError) and not isinstance(error, AddressError)
    return ENGINE_DOWN if down else USAGE


__all__ = ["FormatError", "SuiteError", "UsageError", "commands", "failed", "main", "parser"]
