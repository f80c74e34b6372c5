"""What a program outside is asked: one question per vector, as JSON Lines or as one file each.

A question of the suite ``encode`` is a text (exact bytes), one of ``decode`` a list of ids.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

from tokassay.checks.asking import limited, text_of
from tokassay.checks.vector import Vector

from .errors import AnswerError

LINES = "questions.jsonl"
ORDER = "order.txt"
SUFFIXES = {".txt": "text", ".ids": "ids"}
SUITES = ("encode", "decode")


@dataclass(frozen=True)
class Question:
    """`data` is the text to encode; or `ids` are to be decoded, without special tokens if `skip`."""

    id: str
    data: Optional[bytes] = None
    ids: Tuple[int, ...] = ()
    skip: bool = False

    @property
    def row(self) -> Mapping[str, object]:
        """As one line of JSON: ``text`` or ``bytes_hex``, or ``ids`` and ``skip_special_tokens``."""
        if self.data is None:
            return {"id": self.id, "ids": list(self.ids), "skip_special_tokens": self.skip}
        try:
            return {"id": self.id, "text": self.data.decode("utf-8")}
        except UnicodeDecodeError:
            return {"id": self.id, "bytes_hex": self.data.hex()}


def asked(vectors: Iterable[Vector], suite: str) -> Iterator[Question]:
    """The questions of vectors that any tokenizer can be asked: no pair, limits or tokenizer of their own."""
    for vector in vectors:
        if vector.inline is not None or "pair" in vector.given or limited(vector):
            continue
        if suite == "decode" and vector.op == "decode":
            yield Question(vector.id, None, vector.ids, bool(vector.given["skip_special_tokens"]))
        elif suite == "encode" and vector.op == "encode":
            yield Question(vector.id, vector.data)
        elif suite == "encode" and vector.op == "long":
            yield Question(vector.id, text_of(vector).encode("utf-8"))


def write_lines(questions: Sequence[Question], folder: Path) -> Path:
    """One JSON object per line; the file. An earlier export of the other form is one no longer."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ORDER).unlink(missing_ok=True)
    content = "".join(json.dumps(question.row, separators=(",", ":")) + "\n" for question in questions)
    (folder / LINES).write_bytes(content.encode("ascii"))
    return folder / LINES


def write_files(questions: Sequence[Question], folder: Path) -> Path:
    """``KIND/TOPIC.txt`` with the bytes of each text, ``.ids`` for ids; the file that lists them in order."""
    (folder / LINES).unlink(missing_ok=True)
    names = []
    for question in questions:
        text = question.data if question.data is not None else _spelled(question.ids)
        name = question.id + (".txt" if question.data is not None else ".ids")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
        names.append(name)
    (folder / ORDER).write_bytes("".join(name + "\n" for name in names).encode("ascii"))
    return folder / ORDER


def _spelled(ids: Sequence[int]) -> bytes:
    return " ".join(map(str, ids)).encode("ascii")


FORMS: Mapping[str, Callable[[Sequence[Question], Path], Path]] = {"files": write_files, "jsonl": write_lines}


def read(path: Path) -> List[Question]:
    """The questions that were exported to a folder (or to a JSON Lines file), in their order.

    Raises:
        AnswerError: nothing is there, or a line is no question.
    """
    if path.is_dir() and (path / ORDER).is_file():
        return list(_from_files(path))
    file = path / LINES if path.is_dir() else path
    if not file.is_file():
        raise AnswerError(str(path), 0, f"no questions: there is neither {LINES} nor {ORDER}")
    return list(unique(_from_lines(file), str(file)))


def _from_files(folder: Path) -> Iterator[Question]:
    for number, name in enumerate((folder / ORDER).read_bytes().decode("utf-8", "replace").splitlines(), 1):
        file = folder / name
        if file.suffix not in SUFFIXES or not file.is_file():
            raise AnswerError(str(folder / ORDER), number, f"no such question: {name!r}")
        data = file.read_bytes()
        if file.suffix == ".txt":
            yield Question(name[:-4], data)
        else:
            yield Question(name[:-4], None, tuple(map(int, data.split())))


def _from_lines(file: Path) -> Iterator[Tuple[int, Question]]:
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if line.strip():
            yield number, _question(line, str(file), number)


def _question(line: bytes, file: str, number: int) -> Question:
    try:
        row: Dict[str, Any] = json.loads(line)
        name = str(row["id"])
        if "ids" in row:
            return Question(name, None, tuple(map(int, row["ids"])), bool(row.get("skip_special_tokens")))
        return Question(name, bytes.fromhex(row["bytes_hex"]) if "bytes_hex" in row else row["text"].encode())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"not a question (id and text, bytes_hex or ids): {line[:60]!r}"
        raise AnswerError(file, number, reason) from error


def unique(found: Iterable[Tuple[int, Question]], file: str) -> Iterator[Question]:
    """The questions, each with the number of its line. Raises AnswerError for an id that comes twice."""
    seen: Dict[str, int] = {}
    for number, question in found:
        first = seen.setdefault(question.id, number)
        if first != number:
            raise AnswerError(file, number, f"{question.id} stands in line {first} already")
        yield question
