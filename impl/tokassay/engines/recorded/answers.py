"""How recorded answers are read: JSON Lines, CSV, one line of ids per text, or a log and a pattern."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Pattern, Sequence, Tuple

from tokassay.checks.engine import CrashError, EngineError, FaultError, RefusalError, TimeLimitError

from .errors import AnswerError
from .questions import Question

FAILURES: Mapping[str, type[EngineError]] = {
    "error": FaultError,
    "crash": CrashError,
    "timeout": TimeLimitError,
    "unsupported": RefusalError,
}
_LIST = re.compile(r"[\[(]?\s*(?:\d+\s*(?:[,;\s]\s*\d+\s*)*)?[,;]?\s*[\])]?")
MOST_NAMED = 10  # faults that are named in one message


@dataclass(frozen=True)
class Recorded:
    """One answer, or how the program failed. `id` names the question; without one the order counts."""

    line: int
    id: Optional[str] = None
    text: Optional[bytes] = None
    ids: Optional[Tuple[int, ...]] = None
    decoded: Optional[str] = None
    failure: Optional[EngineError] = None


def read(path: Path, form: str = "", pattern: str = "") -> List[Recorded]:
    """The answers in a file. `form` is one of `FORMS`; "" finds it out, `pattern` means a log.

    Raises:
        AnswerError: the file is not what it should be; the line is named.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig", "replace" if pattern else "strict")
    except OSError as error:
        raise AnswerError(str(path), 0, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise AnswerError(str(path), line, "not UTF-8") from error
    if pattern:
        return list(_from_log(text, _compiled(pattern), str(path)))
    return list(FORMS[form or _guessed(path, text)](text, str(path)))


def _guessed(path: Path, text: str) -> str:
    if path.suffix.lower() in (".csv", ".tsv"):
        return "csv"
    return "jsonl" if text.lstrip()[:1] == "{" else "lines"


def _lines(text: str) -> Iterator[Tuple[int, str]]:
    r"""Lines end at ``\n`` (or ``\r\n``) only."""
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line.removesuffix("\r")


def _from_json_lines(text: str, path: str) -> Iterator[Recorded]:
    for number, line in _lines(text):
        if line.strip():
            yield _from_object(line, path, number)


def _from_object(line: str, path: str, number: int) -> Recorded:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise AnswerError(path, number, f"not JSON: {line[:60]!r}") from error
    if not isinstance(row, dict):
        raise AnswerError(path, number, f"not an object: {line[:60]!r}")
    told = [key for key in ("ids", "decoded", *FAILURES) if row.get(key) is not None]
    if not told:
        raise AnswerError(
            path, number, f"no answer: one of ids, decoded, {', '.join(FAILURES)} has to be there"
        )
    return Recorded(
        number,
        _text(row, "id", path, number),
        _given(row, path, number),
        _id_list(row["ids"], path, number) if "ids" in told else None,
        _text(row, "decoded", path, number),
        next((FAILURES[key](str(row[key])) for key in FAILURES if key in told), None),
    )


def _text(row: Mapping[str, Any], key: str, path: str, number: int) -> Optional[str]:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise AnswerError(path, number, f"{key} is not a string: {value!r:.60}")
    return value


def _given(row: Mapping[str, Any], path: str, number: int) -> Optional[bytes]:
    """The text that was encoded, where the row says it."""
    try:
        if "bytes_hex" in row:
            return bytes.fromhex(row["bytes_hex"])
        return row["text"].encode("utf-8") if "text" in row else None
    except (TypeError, ValueError, AttributeError) as error:
        raise AnswerError(path, number, "text is not a text, or bytes_hex not hexadecimal") from error


def _id_list(value: Any, path: str, number: int) -> Tuple[int, ...]:
    if isinstance(value, str):
        return _ids(value, path, number)
    if not isinstance(value, list) or not all(type(item) is int and item >= 0 for item in value):
        raise AnswerError(path, number, f"not a list of ids: {json.dumps(value)[:60]}")
    return tuple(value)


def _ids(text: str, path: str, number: int) -> Tuple[int, ...]:
    """``1 2 3``, ``1,2,3`` or ``[1, 2, 3]``."""
    if not _LIST.fullmatch(text.strip()):
        raise AnswerError(path, number, f"not a list of ids: {text[:60]!r}")
    return tuple(map(int, re.findall(r"\d+", text)))


def _from_csv(text: str, path: str) -> Iterator[Recorded]:
    """With a heading that names ``id`` and ``ids``, ``decoded`` or a failure; or the id and then the ids."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter="\t" if path.endswith(".tsv") else ",", strict=True
    )
    heading: Optional[List[str]] = None
    try:
        for row in reader:
            if heading is None and "id" in row:
                heading = row
            elif row:
                yield _from_cells(row, heading, path, reader.line_num)
    except csv.Error as error:
        raise AnswerError(path, reader.line_num, f"not CSV: {error}") from error


def _from_cells(row: Sequence[str], heading: Optional[Sequence[str]], path: str, number: int) -> Recorded:
    if heading is None:
        return Recorded(number, row[0], ids=_ids(" ".join(row[1:]), path, number))
    if len(row) != len(heading):
        raise AnswerError(path, number, f"{len(row)} cells, the heading has {len(heading)}")
    cells = {name: cell for name, cell in zip(heading, row) if cell or name in ("ids", "decoded")}
    failure = next((FAILURES[name](cells[name]) for name in FAILURES if name in cells), None)
    if failure is None and not {"ids", "decoded"} & set(cells):
        raise AnswerError(path, number, "no answer: the heading names neither ids nor decoded")
    ids = _ids(cells["ids"], path, number) if "ids" in cells and failure is None else None
    return Recorded(number, cells.get("id"), None, ids, cells.get("decoded"), failure)


def _from_plain_lines(text: str, path: str) -> Iterator[Recorded]:
    lines = list(_lines(text))
    if lines and not lines[-1][1]:
        lines.pop()  # the end of the last line, not an empty list
    for number, line in lines:
        yield Recorded(number, ids=_ids(line, path, number))


FORMS: Mapping[str, Callable[[str, str], Iterator[Recorded]]] = {
    "jsonl": _from_json_lines,
    "csv": _from_csv,
    "lines": _from_plain_lines,
}


def _compiled(pattern: str) -> Pattern[str]:
    try:
        found = re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise AnswerError("--pattern", 0, f"not a regular expression: {error}") from error
    if not found.groups:
        raise AnswerError("--pattern", 0, "has no group for the ids: (?P<ids>...), and perhaps (?P<id>...)")
    return found


def _from_log(text: str, pattern: Pattern[str], path: str) -> Iterator[Recorded]:
    """Every match is an answer: its group ``ids`` (or the first one), and ``id`` where there is one."""
    named = pattern.groupindex
    group = "ids" if "ids" in named else next(n for n in range(1, pattern.groups + 1) if n != named.get("id"))
    found = False
    for match in pattern.finditer(text):
        found, number = True, text.count("\n", 0, match.start()) + 1
        yield Recorded(
            number, match["id"] if "id" in named else None, ids=_ids(match[group] or "", path, number)
        )
    if not found:
        raise AnswerError(path, 0, "the pattern matches nowhere")


def matched(answers: Sequence[Recorded], questions: Sequence[Question], path: str) -> Dict[str, Recorded]:
    """Question id → its answer. Without ids in the answers the order counts.

    Raises:
        AnswerError: an answer to no question, a second answer to one; all of them are named.
    """
    if not any(answer.id is not None for answer in answers):
        return _in_order(answers, questions, path)
    known, faults = {question.id for question in questions}, []
    found: Dict[str, Recorded] = {}
    for answer in answers:
        if answer.id is None:
            faults.append((answer.line, "names no question, others do"))
        elif answer.id not in known:
            faults.append((answer.line, f"nothing was asked as {answer.id!r}"))
        elif answer.id in found:
            faults.append((answer.line, f"{answer.id} was answered in line {found[answer.id].line} already"))
        else:
            found[answer.id] = answer
    _refuse(faults, path)
    return found


def _in_order(answers: Sequence[Recorded], questions: Sequence[Question], path: str) -> Dict[str, Recorded]:
    if len(answers) > len(questions):
        reason = f"{len(answers)} answers, {len(questions)} questions; the first too many stands here"
        raise AnswerError(path, answers[len(questions)].line, reason)
    return {question.id: answer for question, answer in zip(questions, answers)}


def _refuse(faults: Sequence[Tuple[int, str]], path: str) -> None:
    if not faults:
        return
    (line, first), more = faults[0], faults[1:MOST_NAMED]
    rest = "".join(f"\n  line {number}: {reason}" for number, reason in more)
    left = len(faults) - 1 - len(more)
    raise AnswerError(path, line, first + rest + (f"\n  and {left} more" if left else ""))
