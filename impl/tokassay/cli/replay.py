"""Try a finding again: a folder that `tokassay fuzz` wrote, or bytes that a coverage-guided fuzzer stored.

Exit code 1 while it fails, 0 when it does not any more.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Optional, Tuple

from tokassay.fuzzing.campaign import seeded
from tokassay.fuzzing.coverage import few
from tokassay.fuzzing.storing import FINDING, Finding, read_finding
from tokassay.fuzzing.target import Case, Setting, Target, programs
from tokassay.fuzzing.worker import tried
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import UsageError
from ._common import print_json

NAME = "replay"
HELP = "try a finding of `fuzz` again"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("finding", type=Path, metavar="FINDING", help="its folder, or a file of bytes")
    parser.add_argument(
        "--target", choices=programs(), help="for a file of bytes: the target that they are for"
    )
    parser.add_argument("--engine", metavar="E", help="another engine than the one it was found with")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Raises UsageError for what is no finding, UnavailableError where the engine cannot start."""
    stored = None if args.target else _stored(args.finding)
    name = args.target or (stored.target if stored else "")
    with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
        setting = Setting(args.engine or "reference", tokenizers=few(), scratch=scratch)
        if stored is not None:
            setting = replace(setting, engine=args.engine or stored.engine, witness=stored.witness)
            setting = replace(setting, tokenizers=_tokenizers(stored.case))
        target = programs()[name].open(setting)
        case = _case(target, name, stored, args.finding)
        found = tried(target.check, case)
    told = {"target": name, "engine": setting.engine, "fails": found is not None}
    if found is not None:
        told |= {"signature": found.signature, "expected": str(found.expected), "got": str(found.got)}
    if args.json:
        print_json(told)
    else:
        print("\n".join(f"{key:10} {value!s:.1000}" for key, value in told.items()))
    return DIVERGES if found is not None else CONFORMS


def _stored(path: Path) -> Finding:
    try:
        return read_finding(path)
    except (ValueError, OSError) as error:
        raise UsageError(
            f"{path} is no finding: {error}", f"give a folder with {FINDING}, or --target"
        ) from error


def _tokenizers(case: Case) -> Tuple[str, ...]:
    """The case's own; all that the campaign had where the case is not drawn yet."""
    return tuple(case.get("tokenizers") or filter(None, [case.get("tokenizer")]))


def _case(target: Target, name: str, stored: Optional[Finding], path: Path) -> Case:
    if stored is None:
        return programs()[name].case_of(target, path.read_bytes())
    case = json.loads(json.dumps(stored.case))
    if "index" in case and "seed" in case:  # a case that took its process down: only its number was known
        return seeded(target, case["seed"])
    if "index" in case and "bytes" in case:
        return programs()[name].case_of(target, bytes.fromhex(case["bytes"]))
    return dict(case)
