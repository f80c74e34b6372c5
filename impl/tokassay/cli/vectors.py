"""``tokassay vectors make | lint | add | retract | export | drift``: the golden data."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tokassay import data, zoo
from tokassay.checks.vector import read_retractions, read_vectors
from tokassay.vectors import drifting, editing, linting, making, rows, targets

from . import UsageError

NAME = "vectors"
HELP = "make, check, extend, export and compare the golden vectors"
SOURCES = ("hand", "bug-report", "document", "fuzz", "generated")

SLOW = ("sweep", "long")  # left out of drift: older versions need hours for some of them


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    make = actions.add_parser("make", help="ask the oracle for what is missing or out of date")
    make.add_argument("ids", nargs="*", metavar="GLOB", help="ask again for the vectors with these ids")
    make.add_argument("--all", action="store_true", help="ask again for all of them")
    actions.add_parser(
        "lint", help="schema, hashes, ids, clauses, amounts; exit code 4 when something is wrong"
    )
    _configure_add(actions.add_parser("add", help="add a text and ask the oracle about it"))
    retract = actions.add_parser("retract", help="list a vector as not to be run")
    retract.add_argument("id", metavar="ID")
    retract.add_argument("--reason", required=True)
    export = actions.add_parser("export", help="the texts, as JSON Lines on stdout or as plain files")
    export.add_argument("--out", type=Path, metavar="DIR", help="write kind/topic.txt files below DIR")
    drift = actions.add_parser("drift", help="which answers other versions of tokenizers give")
    drift.add_argument("--oracle", required=True, metavar="V1,V2,...", help="released versions")
    drift.add_argument("--slow", action="store_true", help="long texts and whole vocabularies as well")


def _configure_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", required=True, help="class of the text: a file of golden/vectors/encode")
    parser.add_argument("--topic", required=True, help="what is special about it; the id is KIND/TOPIC")
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--text")
    text.add_argument("--file", type=Path, help="a file that holds exactly the text")
    text.add_argument("--hex", help="bytes, for what is not UTF-8")
    parser.add_argument("--pair", help="a second text")
    parser.add_argument(
        "--clause",
        action="append",
        help="anchor of docs/spec (repeatable; default: as the kind's first vector)",
    )
    parser.add_argument("--source", choices=SOURCES, default="hand")
    parser.add_argument("--ref", default="", help="a public reference")
    parser.add_argument("--level", choices=("must", "should"), default="must")
    parser.add_argument("--note", default="", help="why the oracle's answer is doubtful")


def run(args: argparse.Namespace) -> int:
    return _ACTIONS[args.action](args)


def _folder() -> Path:
    return data.root() / "golden" / "vectors"


def _warn(line: str) -> None:
    print(f"tokassay vectors: {line}", file=sys.stderr)


def _targets() -> dict[str, targets.Target]:
    """Our own tokenizers and the zoo's."""
    pins = {name: entry.sha256 for name, entry in zoo.locked().items() if entry.kind == "tokenizer.json"}
    located = zoo.locate(pins)
    return {**targets.own_targets(data.root()), **targets.zoo_targets(pins, located.present)}


def _present() -> dict[str, targets.Target]:
    """The same, with a word on stderr about those that are not here."""
    found = _targets()
    missing = [name for name, target in found.items() if target.path is None]
    if missing:
        _warn(f"not fetched, so not asked: {', '.join(missing)}; run: tokassay zoo fetch")
    return found


def _make(args: argparse.Namespace) -> int:
    made = making.make(_folder(), _present(), again=["*"] if args.all else args.ids, say=_warn)
    for line in making.describe(made):
        print(line)
    return 0


def _lint(_: argparse.Namespace) -> int:
    golden = linting.read_golden(data.root(), _targets())
    faults = list(linting.lint(golden))
    for fault in faults:
        print(fault)
    _warn(", ".join(f"{count:,} {name}" for name, count in linting.count_of(golden).items()))
    _warn(f"{len(faults)} faults" if faults else "no fault")
    return 4 if faults else 0


def _add(args: argparse.Namespace) -> int:
    given = {"bytes_hex": args.hex} if args.hex is not None else {"text": _text(args)}
    if args.pair is not None:
        given["pair"] = args.pair
    clauses = tuple(args.clause or editing.usual_clauses(_folder(), args.kind))
    unknown = sorted(set(clauses) - linting.clauses(data.root()))
    if unknown:
        raise UsageError(
            f"no such clause in docs/spec: {', '.join(unknown)}", "clauses are its `###` headings"
        )
    name, source = f"{args.kind}/{args.topic}", (args.source, args.ref)
    print(
        editing.add(_folder(), editing.Draft(name, given, clauses, source, level=args.level, note=args.note))
    )
    making.make(_folder(), _present(), again=[name], say=_warn)
    return 0


def _text(args: argparse.Namespace) -> str:
    if args.file is None:
        return str(args.text)
    try:
        return bytes(args.file.read_bytes()).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{args.file} is not UTF-8", "give the bytes with --hex") from error


def _retract(args: argparse.Namespace) -> int:
    editing.retract(data.root() / "golden", args.id, args.reason)
    return 0


def _export(args: argparse.Namespace) -> int:
    retracted = read_retractions(data.root() / "golden" / "retracted.jsonl")
    vectors = [vector for vector in read_vectors(_folder()) if vector.id not in retracted]
    if args.out:
        _warn(f"{editing.export_files(vectors, args.out)} files below {args.out}")
    else:
        for line in editing.export_lines(vectors):
            print(line)
    return 0


def _drift(args: argparse.Namespace) -> int:
    content = [row for part in rows.read_folder(_folder()).values() for row in part]
    asked = [row for row in content if args.slow or row["op"] not in SLOW]
    found = []
    for each in drifting.drift(args.oracle.split(","), asked, _present()):
        _warn(f"tokenizers {each.version}: {len(each.changes)} of {each.compared} answers differ")
        found.append(each)
    for line in drifting.table(found):
        print(line)
    return 1 if any(each.changes for each in found) else 0


_ACTIONS = {
    "make": _make,
    "lint": _lint,
    "add": _add,
    "retract": _retract,
    "export": _export,
    "drift": _drift,
}
