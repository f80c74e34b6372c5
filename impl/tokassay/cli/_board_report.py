"""`board report`: pages and a release note from folders of evidence; none that does not hold."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tokassay.board.verifying import EvidenceError, Trust, Verified, verified
from tokassay.report import board_page
from tokassay.verdicts.exit_code import CONFORMS, SUITE_BROKEN

from . import UsageError
from ._board_verify import add_archives, add_signers, readable

HELP = "pages and a release note from verified folders"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="where the pages go")
    add_signers(parser)
    add_archives(parser)


def run(args: argparse.Namespace) -> int:
    """4 where a folder is refused: then nothing is written."""
    found: list[Verified] = []
    refused = False
    for folder in args.folders:
        try:
            found.append(verified(folder, Trust(args.signers, archives=tuple(args.archive))))
        except EvidenceError as error:  # noqa: PERF203 - every folder is told
            refused = True
            for problem in error.problems:
                print(f"refused: {readable(f'{folder}: {problem}')}", file=sys.stderr)
        except OSError as error:
            raise UsageError(str(error)) from error
    if refused:
        return SUITE_BROKEN
    try:
        written = board_page.write(found, args.output)
    except ImportError as error:
        raise UsageError(f"board report needs {error.name}", "pip install 'tokassay[report]'") from error
    print("\n".join(map(str, written)))
    return CONFORMS
