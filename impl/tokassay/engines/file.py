"""``file:ANSWERS``: answers that were recorded, as an engine.

The file is JSON Lines or CSV; every row names its vector (``id``) or holds its text.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Iterator, List, Sequence, Tuple

from tokassay import data
from tokassay.checks.engine import AddressError
from tokassay.checks.vector import read_vectors

from .recorded import answers
from .recorded.answers import Recorded
from .recorded.errors import AnswerError
from .recorded.questions import SUITES, Question, asked
from .recorded.session import RecordedEngine

NAME = "file"
HELP = "file:ANSWERS, answers recorded as JSON Lines or CSV: see `tokassay judge`"


def open_engine(argument: str) -> RecordedEngine:
    """The answers in a file. Raises AddressError or UnavailableError."""
    if not argument:
        raise AddressError("file needs the path of recorded answers", "file:answers.jsonl")
    try:
        recorded = answers.read(Path(argument))
        pairs = [*_with_text(recorded), *_by_id(recorded, argument)]
    except AnswerError as error:
        raise AddressError(str(error)) from error
    answered = {SUITES[question.data is None] for question, _ in pairs}
    return RecordedEngine.of((f"file:{Path(argument).name}", "recorded"), answered, pairs)


def _with_text(recorded: Sequence[Recorded]) -> Iterator[Tuple[Question, Recorded]]:
    for answer in recorded:
        if answer.text is not None:
            yield Question(answer.id or "", answer.text), answer


def _by_id(recorded: Sequence[Recorded], path: str) -> List[Tuple[Question, Recorded]]:
    """Rows without a text are about golden vectors."""
    named = [answer for answer in recorded if answer.text is None]
    if not named:
        return []
    if any(answer.id is None for answer in named):
        raise AnswerError(
            path, named[0].line, "neither id nor text; for answers in order use `tokassay judge`"
        )
    golden = read_vectors(data.root() / "golden" / "vectors")
    questions = [question for part in map(partial(asked, golden), SUITES) for question in part]
    found = answers.matched(named, questions, path)
    return [(question, found[question.id]) for question in questions if question.id in found]
