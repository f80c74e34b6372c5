"""Decode ids with one engine: ids as an argument, or one list per line of stdin; one JSON object per list.

A list is ``1 2 3``, ``1,2,3``, ``[1, 2, 3]``, or a line that ``tokassay encode`` has printed.
"""

from __future__ import annotations

import argparse
from typing import Any, Dict, Sequence

from tokassay.checks.engine import Session
from tokassay.checks.judging import ask
from tokassay.verdicts.exit_code import CONFORMS

from ._common import add_options, open_session, parse_ids, print_answer, texts

NAME = "decode"
HELP = "ids to text with one engine; JSON Lines out"


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument(
        "--stages", action="store_true", help="also show what each id adds when decoded as a stream"
    )
    parser.add_argument("--keep-special-tokens", action="store_true", help="decode special tokens, too")
    parser.add_argument("ids", nargs="*", metavar="ID", help="the ids; - or nothing: the lines of stdin")


def run(args: argparse.Namespace) -> int:
    """One line ``{"ids", "text"}`` per list; an error of the engine is exit code 1."""
    session, skip = open_session(args.engine, args.tokenizer), not args.keep_special_tokens

    def one(number: int, line: str) -> int:
        ids = parse_ids(line, f"list {number}")
        return print_answer(
            args.engine, {"ids": ids}, lambda: answer(session, ids, skip=skip, stages=args.stages)
        )

    lines = texts(" ".join(args.ids) if args.ids else None)
    return max((one(number, line) for number, line in enumerate(lines, 1)), default=CONFORMS)


def answer(session: Session, ids: Sequence[int], *, skip: bool, stages: bool) -> Dict[str, Any]:
    """What the engine makes of the ids."""
    values: Dict[str, Any] = {"ids": ids, "text": ask(session.decode, ids, skip_special_tokens=skip)}
    if stages:
        values["steps"] = steps(session, ids, skip=skip) if "stream" in session.info.capabilities else None
    return values


def steps(session: Session, ids: Sequence[int], *, skip: bool) -> Sequence[object]:
    """What the stream gives for each id, and at the end what it had withheld."""
    stream = ask(session.stream, skip_special_tokens=skip)
    return [*(ask(stream.step, index) for index in ids), ask(stream.flush)]
