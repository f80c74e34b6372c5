"""What several commands share: the engine and tokenizer options, and reading texts."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Callable, Iterator, List, Mapping, Optional, Tuple

from tokassay import data, engines, zoo
from tokassay.checks.engine import EngineError, Session
from tokassay.checks.judging import ask, kind_of
from tokassay.verdicts.exit_code import CONFORMS, DIVERGES

from . import UsageError

LONGEST = 1e7  # seconds
HELP_TOKENIZER = "a tokenizer file, or the name of an own (golden/tokenizers) or real (zoo) tokenizer"


def add_options(parser: argparse.ArgumentParser) -> None:
    """``--engine E --tokenizer T`` for the commands that open one tokenizer."""
    names = ", ".join(engines.adapters())
    parser.add_argument("--engine", default="reference", metavar="E", help=f"engine address (known: {names})")
    parser.add_argument("--tokenizer", required=True, metavar="T", help=HELP_TOKENIZER)


def at_least(least: int) -> Callable[[str], int]:
    """The type of an option that takes whole numbers from `least` on."""

    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return value

    return number


def duration(text: str) -> float:
    """The type of an option in seconds; 0 is one."""
    value = float(text)
    if not 0 <= value <= LONGEST:  # neither negative nor NaN, and no more than a system call takes
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds from 0 to {LONGEST:g}")
    return value


def seconds(text: str) -> float:
    """The type of an option in seconds, of which there must be some."""
    if duration(text) == 0:
        raise argparse.ArgumentTypeError("0 is no time at all")
    return float(text)


def own_tokenizers() -> List[Path]:
    """The embedded tokenizers: golden/tokenizers/NAME/tokenizer.json."""
    return sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))


def find_tokenizer(name: str) -> Path:
    """The file behind a name or path. Raises UsageError with what to do."""
    path = Path(name)
    if path.is_file():
        return path
    if (path / "tokenizer.json").is_file():
        return path / "tokenizer.json"
    for own in own_tokenizers():
        if own.parent.name == name:
            return own
    if name not in zoo.entries():
        hint = "`tokassay zoo list` shows the real ones, golden/tokenizers holds the own ones"
        raise UsageError(f"no tokenizer {name!r}: neither a file nor a known name", hint)
    located = zoo.locate([name])
    if name not in located.present:
        raise UsageError(f"tokenizer {name!r} is not on this machine: {located.absent[name]}")
    return located.present[name]


def open_session(engine: str, tokenizer: str) -> Session:
    """The engine with the tokenizer loaded. Raises UsageError, or UnavailableError."""
    path = find_tokenizer(tokenizer)
    return load(engines.open(engine, isolate=True), str(path))


def load(engine: engines.Engine, path: str) -> Session:
    """The engine with the file loaded. Raises UsageError where it refuses, or UnavailableError."""
    try:
        return ask(engine.load, path)
    except engines.UnavailableError:
        raise
    except EngineError as error:
        raise UsageError(f"{engine.info.name} cannot load {path}: {error.reason}") from error


def texts(argument: Optional[str]) -> Iterator[str]:
    """The text given, or for None and ``-`` the lines of stdin (cut at line feeds only)."""
    if argument is not None and argument != "-":
        yield decoded(os.fsencode(argument), "the argument")
        return
    for number, line in enumerate(sys.stdin.buffer, 1):
        yield decoded(line[:-1] if line.endswith(b"\n") else line, f"line {number}")


def decoded(content: bytes, place: str) -> str:
    """Bytes as text. Raises UsageError where they are not UTF-8: a replaced byte would be another input."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{place} is not UTF-8 at byte {error.start}") from error


def print_json(values: object) -> None:
    """One line of ASCII JSON on stdout."""
    print(json.dumps(values, default=list))


def print_answer(engine: str, given: Mapping[str, object], ask_engine: Callable[[], object]) -> int:
    """Print what the engine answers, or how it failed; the exit code that belongs to it."""
    try:
        print_json(ask_engine())
    except engines.UnavailableError:
        raise
    except EngineError as error:
        print_json({**given, "error": kind_of(error), "reason": error.reason})
        warn(f"{engine}: {kind_of(error)}: {error.reason}")
        return DIVERGES
    return CONFORMS


def warn(message: str) -> None:
    print(f"tokassay: {message}", file=sys.stderr)


def parse_ids(line: str, place: str) -> Tuple[int, ...]:
    """Ids as ``1 2 3``, ``1,2,3``, ``[1, 2, 3]`` or a JSON object with ``ids``. Raises UsageError."""
    try:
        value = (
            json.loads(line) if line.lstrip()[:1] in "[{" and line.strip() else line.replace(",", " ").split()
        )
        found = value["ids"] if isinstance(value, dict) else value
        return tuple(_id(item) for item in found)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"{place}: not a list of ids: {line[:60]!r}") from error


def _id(item: object) -> int:
    """Raises ValueError for what only converts to an integer: 1.5, true."""
    if isinstance(item, str) or type(item) is int:
        return int(item)
    raise ValueError(f"{item!r} is not an id")
