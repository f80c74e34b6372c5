"""What a tokenizer file holds, and what its exporter may have got wrong.

With --find or --ids: the entries with their stored bytes, in hex and readable. Otherwise the audit: holes,
duplicates, unreachable tokens, ids that a config.json has no room for, absent special tokens, a doubled BOS.
A fault is exit code 1; what may be on purpose is shown without being one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

from tokassay import formats
from tokassay.core.byte_text import shown as readable
from tokassay.core.description import Description
from tokassay.formats.audit import Entry, Finding, audit, entries, find
from tokassay.formats.codec import named
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import UsageError
from ._common import HELP_TOKENIZER, find_tokenizer, print_json
from .convert import ids

NAME = "inspect"
HELP = "what a tokenizer file holds; the exporter's audit"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=HELP_TOKENIZER)
    parser.add_argument("--format", metavar="FORMAT", help="its format, if not as it looks")
    parser.add_argument(
        "--find", action="append", default=[], metavar="TEXT", help="entries that hold a text"
    )
    parser.add_argument("--ids", type=ids, default=(), metavar="1,2", help="entries of these ids")
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="entries shown per text (default: 20)"
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="config.json (default: the one beside FILE)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(args: argparse.Namespace) -> int:
    path = find_tokenizer(args.file)
    data = path.read_bytes()
    name = args.format or formats.probe(data)
    description = formats.parse(data, str(path), format=name)
    if args.find or args.ids:
        return _show_entries(args, entries(description))
    _show(_facts(path, data, name, description), as_json=args.json)
    findings = list(audit(description, _config(args.config, path)))
    for finding in findings:
        if args.json:
            print_json(asdict(finding))
        else:
            print(line(finding))
    return DIVERGES if any(finding.fault for finding in findings) else CONFORMS


def _facts(path: Path, data: bytes, name: str, description: Description) -> Dict[str, object]:
    facts: Dict[str, object] = {"file": str(path), "format": name, "bytes": len(data)}
    facts["sha256"] = hashlib.sha256(data).hexdigest()
    facts["vocabulary"] = description.model.vocab_size
    facts["added tokens"] = len(description.added_tokens)
    if description.device is not None:
        for part in ("special_ids", "stop_ids", "prefix_ids"):
            facts[part] = list(getattr(description.device, part))
    own: Any = getattr(named(name), "facts", None)
    return {**facts, **(own(description) if own is not None else {})}


def _config(given: Optional[Path], beside: Path) -> Mapping[str, object]:
    """The config.json named, else the one beside the file, else nothing."""
    path = given or beside.parent / "config.json"
    if given is None and not path.is_file():
        return {}
    try:
        value = json.loads(path.read_bytes())
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    return value if isinstance(value, dict) else {}


def _show_entries(args: argparse.Namespace, listed: Sequence[Entry]) -> int:
    """Exit code 1 where a text or an id has no entry."""
    by_id = {entry.id: entry for entry in listed}
    missed = 0
    for text in args.find:
        found = find(listed, text)
        missed += not found
        _show_found(text, found, args)
    for index in args.ids:
        missed += index not in by_id
        _show_rows([by_id[index]] if index in by_id else [], as_json=args.json)
    return DIVERGES if missed else CONFORMS


def _show_found(text: str, found: List[Entry], args: argparse.Namespace) -> None:
    if args.json:
        print_json({"find": text, "hits": len(found), "ids": [entry.id for entry in found]})
        return
    print(f"{text!r}: {len(found)} hits {[entry.id for entry in found[:3]]}")
    _show_rows(found[: args.limit], as_json=False)


def _show_rows(rows: Sequence[Entry], *, as_json: bool) -> None:
    for entry in rows:
        if as_json:
            print_json({"id": entry.id, "hex": entry.stored.hex(), "token": readable(entry.stored)})
        else:
            print(f"{entry.id:>8}  {entry.stored.hex():24}  {legible(entry.stored)}")


def legible(stored: bytes) -> str:
    r"""The bytes as text; what is not UTF-8 or not printable as ``\x..`` or ``\u....``."""
    text = stored.decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def line(finding: Finding) -> str:
    place = ": ".join(
        part
        for part in (finding.field, f"byte {finding.offset}" if finding.offset is not None else "")
        if part
    )
    mark = "FAULT" if finding.fault else "note"
    return f"{mark:6} {finding.kind:12} {f'{place}: ' if place else ''}{finding.reason}"


def _show(facts: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        print("\n".join(f"{name}: {value}" for name, value in facts.items()))
