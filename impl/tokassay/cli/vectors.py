"""``tokassay vectors make | lint | add | retract | export | drift``: the golden data."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Iterable

from tokassay import data, zoo
from tokassay.checks.vector import Vector
from tokassay.engines.recorded import corpus, questions
from tokassay.engines.recorded.errors import AnswerError
from tokassay.fuzzing.storing import read_finding
from tokassay.vectors import drifting, editing, linting, making, rows, targets

from . import UsageError
from ._plan import Selection, find_targets, select_vectors

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
    _configure_export(actions.add_parser("export", help="what to ask a program that `judge` then judges"))
    drift = actions.add_parser("drift", help="which answers other versions of tokenizers give")
    drift.add_argument("--oracle", required=True, metavar="V1,V2,...", help="released versions")
    drift.add_argument("--slow", action="store_true", help="long texts and whole vocabularies as well")


def _configure_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "out", nargs="?", type=Path, metavar="DIR", help="where to; without it: JSON Lines on stdout"
    )
    parser.add_argument("--tokenizer", metavar="T", help="only what has a golden answer for this tokenizer")
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="FILE",
        help="own texts instead: lines, JSON Lines (a .jsonl file), or a folder of files",
    )
    parser.add_argument(
        "--suite", choices=questions.SUITES, default="encode", help="encode: texts; decode: lists of ids"
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=questions.FORMS,
        default="jsonl",
        help="one file, or one for each (exact bytes)",
    )
    parser.add_argument(
        "--vector", action="append", default=[], metavar="GLOB", help="only these ids, repeatable"
    )
    parser.add_argument("--vectors", type=Path, metavar="PATH", help="other vectors: a folder, a file")


def _configure_add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", required=True, help="class of the text: a file of golden/vectors/encode")
    parser.add_argument("--topic", required=True, help="what is special about it; the id is KIND/TOPIC")
    text = parser.add_mutually_exclusive_group(required=True)
    text.add_argument("--text")
    text.add_argument("--file", type=Path, help="a file that holds exactly the text")
    text.add_argument("--hex", help="bytes, for what is not UTF-8")
    text.add_argument(
        "--from", dest="finding", type=Path, metavar="FINDING", help="the text of a `fuzz` finding"
    )
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
    if args.finding is not None:
        given, args.source, args.ref = _found(args.finding), "fuzz", args.ref or "tokassay fuzz"
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


def _found(path: Path) -> dict[str, str]:
    """The text or the bytes of a finding. Raises UsageError for one that has none."""
    try:
        case = read_finding(path).case
    except (ValueError, OSError) as error:
        raise UsageError(f"{path} is no finding: {error}") from error
    if "text" in case:
        return {"text": str(case["text"])}
    if len(case.get("texts") or ()) == 1:
        return {"text": str(case["texts"][0])}
    if "hex" in case and "format" not in case:
        return {"bytes_hex": str(case["hex"])}
    raise UsageError(
        f"{path} holds neither one text nor bytes of one", "the maker of its kind takes the rest"
    )


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
    asked = list(_asked(args))
    if not asked:
        raise UsageError(
            "nothing to export: no text, or no vector that any tokenizer can be asked and matches"
        )
    if args.out is None:
        for question in asked:
            print(json.dumps(question.row, separators=(",", ":")))
        return 0
    written = questions.FORMS[args.form](asked, args.out)
    _warn(f"{len(asked)} questions in {written}")
    return 0


def _asked(args: argparse.Namespace) -> Iterable[questions.Question]:
    if args.texts is None:
        return questions.asked(_exported(args), args.suite)
    if args.suite != "encode" or args.vector or args.vectors:
        raise UsageError("--texts goes without --suite decode, --vector and --vectors")
    try:
        return corpus.read_texts(args.texts)
    except AnswerError as error:
        raise UsageError(str(error)) from error


def _exported(args: argparse.Namespace) -> list[Vector]:
    names = (args.tokenizer,) if args.tokenizer else ()
    selection = Selection(tokenizers=names, vectors=tuple(args.vector), folder=args.vectors or _folder())
    if args.tokenizer:
        (target,) = find_targets(selection)
        return list(target.vectors)
    return select_vectors(selection)


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
