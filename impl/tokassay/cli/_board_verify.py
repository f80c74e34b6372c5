"""`board verify`: is a folder of evidence what it says? Offline; docs/evidence.md says what that proves."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tokassay.board.verifying import EvidenceError, Trust, Verified, as_json, shown, verified
from tokassay.verdicts.exit_code import SUITE_BROKEN

from . import UsageError
from ._common import print_json

HELP = "check a folder of evidence, offline"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    add_signers(parser)
    parser.add_argument("--nonce", default="", metavar="N", help="that the controller gave")
    parser.add_argument("--host-key", default="", metavar="FP", help="fingerprint of the board's host key")
    parser.add_argument("--known-hosts", type=Path, metavar="FILE", help="the host key has to be in it")
    parser.add_argument("--bundle", type=Path, metavar="FILE", help="the bundle that has to have run")
    add_archives(parser)
    parser.add_argument("--latency", action="store_true", help="refuse what cannot be claimed as latency")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def add_signers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allowed-signers",
        "--signers",
        dest="signers",
        type=Path,
        metavar="FILE",
        help="who may have signed, as ssh-keygen has it; without it any key will do, and is named",
    )


def add_archives(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--archive",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="what else the board was sent, repeatable; else it is made here again",
    )


def run(args: argparse.Namespace) -> int:
    """The exit code of the run; 4 where the folder is refused, 2 where a file to compare with is missing."""
    known = (args.signers, args.nonce, args.host_key, args.known_hosts, args.bundle)
    trust = Trust(*known, tuple(args.archive), args.latency)
    try:
        found = verified(args.folder, trust)
    except EvidenceError as error:
        return _refused(args, error)
    except OSError as error:
        raise UsageError(str(error)) from error
    if args.json:
        print_json(as_json(found))
    else:
        _tell(found, trust)
    return found.exit_code


def _refused(args: argparse.Namespace, error: EvidenceError) -> int:
    if args.json:
        print_json({"verified": False, "problems": [vars(problem) for problem in error.problems]})
    else:
        for problem in error.problems:
            print(f"refused: {readable(str(problem))}", file=sys.stderr)
    return SUITE_BROKEN


def _tell(found: Verified, trust: Trust) -> None:
    for name, value in shown(found).items():
        print(f"{name:10} {readable(value)}")
    for finding in found.findings:
        print(f"differs    {readable(str(finding))}")
    print("verified" if trust.signers else "verified, signed by a key that nobody named as allowed")


def readable(text: str) -> str:
    """What came from a folder, without what a terminal would obey."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
