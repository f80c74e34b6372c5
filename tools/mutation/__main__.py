"""Mutation testing of core/, formats/ and lookup/: cosmic-ray's operators, each mutant in a forked process.

Usage: python -m tools.mutation record DIR [TEST...]  (once: which tests run which lines; TESTs are added)
       python -m tools.mutation run DIR [--again]     (try what DIR has no result for; can be interrupted)
       python -m tools.mutation report DIR            (the figures and the survivors)
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .sampling import Config

HERE = str(Path("impl").resolve())


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("record", "run", "report"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--again", action="store_true", help="the survivors once more")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="processor time for the tests of one mutant")
    parser.add_argument("--markdown", action="store_true", help="the report as in docs/mutation.md")
    args, config = parser.parse_args(), Config.read()
    config = replace(config, seconds=args.seconds or config.seconds)
    args.folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, HERE)
    return int(globals()[f"_{args.action}"](config, args))


def _record(config: Config, args: argparse.Namespace) -> int:
    from .recording import Record, record  # noqa: PLC0415 - imports pytest and coverage

    path = args.folder / "tests.json"
    found = record(config, args.tests or config.tests)
    (Record.read(path).merged(found) if args.tests else found).write(path)
    return 0


def _run(config: Config, args: argparse.Namespace) -> int:
    from .recording import Record  # noqa: PLC0415 - imports pytest and coverage
    from .trying import run  # noqa: PLC0415 - imports pytest

    record, results = Record.read(args.folder / "tests.json"), args.folder / "results.jsonl"
    run(config, record, results, again=args.again, workers=args.workers)
    return 0


def _report(config: Config, args: argparse.Namespace) -> int:
    from .reporting import report  # noqa: PLC0415 - as the others

    return report(config, args.folder / "results.jsonl", as_markdown=args.markdown)


if __name__ == "__main__":
    sys.exit(main())
