"""``tokassay vectors make | lint | add | retract | export | drift``: the golden data."""

from __future__ import annotations

import argparse
import sys

from tokassay import data, zoo
from tokassay.vectors import making, targets

NAME = "vectors"
HELP = "make, check, extend and export the golden vectors"


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    make = actions.add_parser("make", help="ask the oracle for what is missing or out of date")
    make.add_argument("ids", nargs="*", metavar="GLOB", help="ask again for the vectors with these ids")
    make.add_argument("--all", action="store_true", help="ask again for all of them")


def run(args: argparse.Namespace) -> int:
    return _ACTIONS[args.action](args)


def _targets() -> dict[str, targets.Target]:
    """Our own tokenizers and the zoo's, with a word on stderr about those that are not here."""
    pins = {name: e.sha256 for name, e in zoo.locked().items() if e.kind == "tokenizer.json"}
    located = zoo.locate(pins)
    for name, reason in located.absent.items():
        print(f"tokassay vectors: {name} {reason}", file=sys.stderr)
    return {**targets.own_targets(data.root()), **targets.zoo_targets(pins, located.present)}


def _make(args: argparse.Namespace) -> int:
    folder = data.root() / "golden" / "vectors"
    again = ["*"] if args.all else args.ids
    made = making.make(folder, _targets(), again=again, say=lambda line: print(line, file=sys.stderr))
    for line in making.describe(made):
        print(line)
    return 0


_ACTIONS = {"make": _make}
