"""One tokenizer file into another format; the target is told by the name of OUT.

What the target cannot hold is named, with a text whose ids change; it is written all the same with --lossy.
vocab.bin is compiled: it never holds merges, which is told, not refused. OUT is written whole or not at all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Tuple

from tokassay import formats
from tokassay.core.byte_records import Records
from tokassay.core.description import Description, Device
from tokassay.formats import vocab_bin
from tokassay.formats.codec import beside, codecs, named
from tokassay.verdicts.exit_code import CONFORMS

from . import UsageError
from ._common import find_tokenizer, print_json, warn

NAME = "convert"
HELP = "one tokenizer file into another format"
LISTS = ("special_ids", "stop_ids", "prefix_ids")


def configure(parser: argparse.ArgumentParser) -> None:
    known = ", ".join(sorted(codecs()))
    parser.add_argument("source", metavar="IN", help="a tokenizer file, or the name of a known tokenizer")
    parser.add_argument("target", type=Path, metavar="OUT", help="the file to write")
    parser.add_argument(
        "--from", dest="source_format", metavar="FORMAT", help="format of IN, if not as it looks"
    )
    parser.add_argument("--to", metavar="FORMAT", help=f"format of OUT, if not as it is named ({known})")
    for name in LISTS:
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=ids, metavar="1,2", help=f"{name} of the header of device files")
    parser.add_argument(
        "--specials-from", type=Path, metavar="FILE", help="a vocab.bin to copy special tokens from"
    )
    parser.add_argument(
        "--lossy", action="store_true", help="write what the target can hold, leave out the rest"
    )
    parser.add_argument("--table-version", metavar="V", help="Unicode version of the tables (default: 14.0)")
    parser.add_argument("--json", action="store_true", help="what was written, as one JSON object")


def ids(value: str) -> Tuple[int, ...]:
    """Ids separated by commas or blanks; ValueError for anything else."""
    return tuple(int(item) for item in value.replace(",", " ").split())


def run(args: argparse.Namespace) -> int:
    """Raises UsageError where something would be lost and `--lossy` is not given."""
    target = args.to or format_named(args.target.name)
    source, options = find_tokenizer(args.source), _options(args, target)
    description = formats.read(source, format=args.source_format)
    description = _prepared(beside(description, source.parent, target), args, target)
    lost = formats.losses(description, target, **options)
    for loss in lost:
        warn(told(loss))
    if lost and not args.lossy and not getattr(named(target), "COMPILES", False):
        formats.project(description, target, **options)  # where nothing is near, --lossy would not help
        hint = "--lossy writes what the format can hold"
        raise UsageError(f"{target} cannot hold all of it ({len(lost)} losses, see above)", hint)
    projects = lost or hasattr(named(target), "project")
    held = formats.project(description, target, **options) if projects else description
    formats.write(held, args.target, target)
    _print(dict(_written(args.target, target, description)), as_json=args.json)
    return CONFORMS


def format_named(name: str) -> str:
    """The format that a file name asks for. Raises UsageError where none does, or several."""
    known = codecs()
    if name in known:
        return name
    ending = name.rpartition(".")[2]
    found = [each for each in known if ending == each.rpartition(".")[2].partition("-")[0]]
    found = [each for each in found if each.startswith("tokenizer.")] or found
    plain = [each for each in found if "-" not in each] or found
    if len(plain) != 1:
        raise UsageError(f"{name} names no format", f"--to is one of: {', '.join(sorted(known))}")
    return plain[0]


def _options(args: argparse.Namespace, target: str) -> Dict[str, object]:
    """Options of the target's codec. Raises UsageError where it has none."""
    if args.table_version is None:
        return {}
    if not hasattr(named(target), "TABLE_VERSIONS"):
        raise UsageError(f"{target} has no Unicode tables", "leave --table-version out")
    return {"table_version": args.table_version}


def _prepared(description: Description, args: argparse.Namespace, target: str) -> Description:
    """With the header lists and special tokens that the options give."""
    lists = {name: getattr(args, name) for name in LISTS if getattr(args, name) is not None}
    if lists:
        known = description.device or _default(description, target)
        description = replace(description, device=replace(known, **lists))
    if args.specials_from is not None:
        records = Records(args.specials_from.read_bytes())
        compiled = vocab_bin.compile_entries(description, records)
        description = vocab_bin.describe(Records(compiled.data))
    return description


def _default(description: Description, target: str) -> Device:
    return formats.project(description, target).device or Device()


def told(loss: formats.Loss) -> str:
    """A loss in one line, with its example."""
    line = f"{loss.field}: {loss.reason}" if loss.field else loss.reason
    if loss.text is None and loss.ids is None:
        return f"{line}; none of {loss.tried} texts shows it"
    example = json.dumps(loss.text) if loss.ids is None else f"ids {list(loss.ids)}"
    return f"{line}; {example} gives {_answer(loss.after)} instead of {_answer(loss.before)}"


def _answer(answer: object) -> str:
    return json.dumps(list(answer) if isinstance(answer, tuple) else answer)


def _written(path: Path, target: str, description: Description) -> Iterator[Tuple[str, object]]:
    data = path.read_bytes()
    yield from (("file", str(path)), ("format", target), ("bytes", len(data)))
    yield "sha256", hashlib.sha256(data).hexdigest()
    figures: Any = getattr(named(target), "statistics", None)
    if figures is not None:
        yield from figures(description).items()


def _print(values: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json(values)
    else:
        print("\n".join(f"{name}: {value}" for name, value in values.items()))
