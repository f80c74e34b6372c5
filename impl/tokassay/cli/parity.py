"""Greedy matching against the tokenizer itself on text: what a vocab.bin costs, by kind of difference.

The vocab.bin is compiled on the spot, or given with --table. Without --corpus the golden corpus is read.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Iterator, List

from tokassay import Tokenizer, data, formats
from tokassay.diagnosis.greedy import KINDS, LONGEST_EXAMPLE, Cost, cost
from tokassay.verdicts.exit_code import CONFORMS

from . import UsageError
from ._common import HELP_TOKENIZER, decoded, find_tokenizer, print_json

NAME = "parity"
HELP = "what greedy matching (vocab.bin) costs against the tokenizer itself"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tokenizer", default="qwen", metavar="T", help=f"{HELP_TOKENIZER} (default: qwen)")
    parser.add_argument(
        "--table", type=Path, metavar="FILE", help="its vocab.bin (default: compiled from it)"
    )
    parser.add_argument("--corpus", type=Path, action="append", metavar="FILE", help="UTF-8 text; repeatable")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Always 0: differences are what is measured."""
    description = formats.read(find_tokenizer(args.tokenizer))
    table = formats.read(args.table) if args.table else formats.project(description, "vocab.bin")
    found = cost(Tokenizer(description), Tokenizer(table), lines(args.corpus or corpus()))
    if args.json:
        print_json({**vars(found), "kinds": dict(found.kinds)})
    else:
        print("\n".join(shown(found)))
    return CONFORMS


def corpus() -> List[Path]:
    """The texts that travel with the package."""
    return sorted(path for path in (data.root() / "golden" / "corpus").rglob("*") if path.is_file())


def lines(files: List[Path]) -> Iterator[str]:
    """Their lines, line feeds kept. Raises UsageError for a file that is not UTF-8."""
    for file in files:
        yield from decoded(file.read_bytes(), str(file)).splitlines(keepends=True)


def shown(found: Cost) -> Iterator[str]:
    """Rates, then one line per kind with its shortest example. Raises UsageError without a line."""
    if not found.lines:
        raise UsageError("there is no text")
    differing = found.lines - found.equal
    yield f"{found.lines} lines, {differing} differ ({100 * differing / found.lines:.1f} %)"
    times = found.greedy_tokens / max(1, found.tokens)
    yield f"{found.tokens} tokens, greedy {found.greedy_tokens} ({times:.3f} times)"
    for kind in KINDS:
        if found.kinds[kind]:
            example = json.dumps(found.examples[kind][:LONGEST_EXAMPLE])
            yield f"{kind:16} {found.kinds[kind]:6} lines  {example}"
