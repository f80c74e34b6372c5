"""Encode one text, or every line of stdin, with one engine; one JSON object per text."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import asdict
from typing import Any, Dict

from tokassay import formats
from tokassay.checks.engine import Session
from tokassay.checks.judging import ask
from tokassay.core.errors import TokassayError
from tokassay.verdicts.exit_code import CONFORMS

from ._common import add_options, open_session, print_answer, texts, warn

NAME = "encode"
HELP = "text to ids with one engine; JSON Lines out"


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument(
        "--stages",
        action="store_true",
        help="also show what each stage did, and on stderr what is odd about the file",
    )
    parser.add_argument(
        "--no-special-tokens", action="store_true", help="leave out the special tokens around"
    )
    parser.add_argument("text", nargs="?", metavar="TEXT", help="the text; - or nothing: the lines of stdin")


def run(args: argparse.Namespace) -> int:
    """One line ``{"text", "ids", "tokens", "offsets"}`` per text; an error of the engine is exit code 1."""
    session, special = open_session(args.engine, args.tokenizer), not args.no_special_tokens
    if args.stages:
        _warn_about(session.path)

    def one(text: str) -> int:
        return print_answer(
            args.engine, {"text": text}, lambda: answer(session, text, special=special, stages=args.stages)
        )

    return max(map(one, texts(args.text)), default=CONFORMS)


def _warn_about(path: str) -> None:
    """On stderr, what is odd about the file; nothing where the reference cannot read it."""
    with contextlib.suppress(TokassayError):
        for oddity in formats.read(path).warnings:
            warn(f"{path}: {oddity.field}: {oddity.reason}")


def answer(session: Session, text: str, *, special: bool, stages: bool) -> Dict[str, Any]:
    """What the engine says about a text, as far as it claims to know."""
    able = session.info.capabilities
    options = {"add_special_tokens": special} if "add_special" in able else {}
    encoded = ask(session.encode, text, **options)
    values: Dict[str, Any] = {"text": text, "ids": list(encoded.ids)}
    values.update({name: list(ask(getattr, encoded, name)) for name in ("tokens", "offsets") if name in able})
    if stages:
        values["stages"] = asdict(ask(session.stages, text)) if "stages" in able else None
    return values
