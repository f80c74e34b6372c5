"""A user's own texts as questions: the lines of a text, JSON Lines, or the files of a folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from .errors import AnswerError
from .questions import Question, unique

KIND = "own"  # the first part of the ids that texts without one get
_WORD = r"[A-Za-z0-9_-][A-Za-z0-9_.-]*"
_ID = re.compile(f"{_WORD}(?:/{_WORD})*")


def read_texts(path: Path) -> List[Question]:
    """The questions, in order. A line without its line end is a text; an empty one is none.

    Raises:
        AnswerError: nothing is there, or a line of JSON Lines is no text.
    """
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        named = ((0, Question(f"{KIND}/{_name(file, path)}", file.read_bytes())) for file in files)
        return list(unique(named, str(path)))
    if not path.is_file():
        raise AnswerError(str(path), 0, "no such file or folder")
    lines = enumerate(path.read_bytes().split(b"\n"), 1)
    if path.suffix in (".jsonl", ".ndjson"):
        return list(unique(_rows(lines, str(path)), str(path)))
    return [Question(f"{KIND}/{number}", line) for number, line in lines if line]


def _name(file: Path, folder: Path) -> str:
    """A file's name as the rest of an id: what stands in paths, and nothing that needs escapes."""
    return "".join(
        c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in str(file.relative_to(folder))
    )


def _rows(lines: Iterator[Tuple[int, bytes]], name: str) -> Iterator[Tuple[int, Question]]:
    for number, line in lines:
        if line.strip():
            yield number, _question(line, name, number)


def _question(line: bytes, name: str, number: int) -> Question:
    """A text: a JSON string, or an object with ``text`` (or ``bytes_hex``) and perhaps ``id``."""
    try:
        row = json.loads(line)
        given: Dict[str, Any] = row if isinstance(row, dict) else {"text": row}
        data = bytes.fromhex(given["bytes_hex"]) if "bytes_hex" in given else given["text"].encode("utf-8")
        name_of_it = given.get("id", f"{KIND}/{number}")
        if not _ID.fullmatch(name_of_it):  # it may become the name of a file
            raise AnswerError(
                name, number, f"id is not words of letters, digits and -_. apart by /: {name_of_it!r}"
            )
        return Question(name_of_it, data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise AnswerError(
            name, number, f"not a text (a string, or an object with text): {line[:60]!r}"
        ) from error
