"""Verdicts on answers that a program gave by its own means, for texts from ``tokassay vectors export``.

The answers are JSON Lines ({"id", "ids"}), CSV, one line of ids per text in the order of the export, or a
log in which a regular expression finds the ids. What was not answered is not-run.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

from tokassay import Tokenizer
from tokassay.checks.asking import text_of
from tokassay.checks.judging import expected_error
from tokassay.checks.vector import Source, Vector, digest
from tokassay.engines.recorded import answers, questions
from tokassay.engines.recorded.errors import AnswerError
from tokassay.engines.recorded.questions import SUITES, Question
from tokassay.engines.recorded.session import RecordedEngine
from tokassay.verdicts.driver import Target

from . import UsageError
from ._common import HELP_TOKENIZER
from ._live import answered
from ._output import add_output, finished
from ._plan import Selection, plan

NAME = "judge"
HELP = "verdicts on answers that a device or program produced by its own means"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answers", type=Path, metavar="ANSWERS", help="JSON Lines, CSV, lines of ids, or a log"
    )
    parser.add_argument("--tokenizer", required=True, metavar="T", help=HELP_TOKENIZER)
    parser.add_argument(
        "--texts", type=Path, metavar="DIR_OR_FILE", help="what was exported (answers in order need it)"
    )
    parser.add_argument("--suite", choices=SUITES, default="encode", help="without --texts: what was asked")
    parser.add_argument("--as", dest="form", choices=answers.FORMS, default="", help="form of the answers")
    parser.add_argument(
        "--pattern",
        default="",
        metavar="REGEX",
        help="for a log: a match is an answer, its group `ids` (or the first) the ids, `id` the name",
    )
    parser.add_argument(
        "--special-tokens", action="store_true", help="the answers hold the special tokens around the text"
    )
    parser.add_argument("--name", metavar="NAME", help="what the engine is called (default: the file's name)")
    parser.add_argument("--engine-version", default="recorded", metavar="V", help="its version")
    parser.add_argument("--vectors", type=Path, metavar="PATH", help="other vectors: a folder, a file")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Exit code as `tokassay run` has it; 2 for answers that cannot be used."""
    try:
        asked = questions.read(args.texts) if args.texts else None
        given = answers.read(args.answers, args.form, args.pattern)
    except AnswerError as error:
        raise UsageError(str(error)) from error
    if asked is None and any(answer.id is None for answer in given):
        raise UsageError(
            f"{args.answers}: the answers name no texts", "--texts says in which order they stand"
        )
    suite = "decode" if asked and asked[0].data is None else args.suite
    selection = Selection(
        ("reference",), (args.tokenizer,), (suite,), folder=args.vectors, divergences=args.divergences
    )
    whole = plan(selection)
    (target,) = whole.targets or (None,)
    if target is None:
        raise UsageError(f"no golden answers for {args.tokenizer}: {next(iter(whole.broken.values()))}")
    asked = asked if asked is not None else list(questions.asked(target.vectors, suite))
    engine = _engine(args, given, asked)
    vectors = _asked_vectors(asked, target, args)
    judged = replace(whole, engines=[engine], targets=[replace(target, vectors=vectors)])
    return finished(args, judged, replace(selection, engines=()))


def _engine(
    args: argparse.Namespace, given: Sequence[answers.Recorded], asked: Sequence[Question]
) -> RecordedEngine:
    try:
        found = answers.matched(given, asked, str(args.answers))
    except AnswerError as error:
        raise UsageError(str(error)) from error
    pairs = [(question, found[question.id]) for question in asked if question.id in found]
    info = (args.name or f"file:{args.answers.name}", args.engine_version)
    return RecordedEngine.of(info, {SUITES[question.data is None] for question in asked}, pairs)


def _asked_vectors(asked: Sequence[Question], target: Target, args: argparse.Namespace) -> List[Vector]:
    """The vectors of the questions, in their order; each question has to be its vector's."""
    suites = {question.data is None for question in asked}
    if len(suites) > 1:
        raise UsageError(f"{args.texts}: texts and ids are mixed", "judge them one after the other")
    known = {vector.id: vector for vector in target.vectors}
    of_vectors = {q.id: q for suite in SUITES for q in questions.asked(target.vectors, suite)}
    for question in asked:
        if question.id in known and of_vectors.get(question.id) != question:
            raise UsageError(f"{args.texts}: {question.id} is not what the golden vector of this name asks")
    own = [_own(question, target.name) for question in asked if question.id not in known]
    if own and target.path is None:
        raise UsageError(f"{target.name} is needed for own texts: {target.reason}")
    known.update((vector.id, vector) for vector in answered(own, target.name, str(target.path)))
    chosen = [known[question.id] for question in asked]
    return list(_with_special_tokens(chosen, target)) if args.special_tokens else chosen


def _own(question: Question, tokenizer: str) -> Vector:
    """A question that is no golden vector's, as one that the oracle is asked."""
    given = {name: value for name, value in question.row.items() if name != "id"}
    op, source = ("encode" if question.data is not None else "decode"), Source("document", "")
    return Vector(question.id, op, "own", "must", (), source, ("", ""), "", given, {tokenizer: {}}, "")


def _with_special_tokens(vectors: Sequence[Vector], target: Target) -> Iterator[Vector]:
    """The vectors expecting the ids with special tokens: as stored, or as the reference puts them around."""
    reference = _reference(target)
    for vector in vectors:
        answer = vector.answer(target.name)
        if expected_error(vector) or vector.op not in ("encode", "long"):
            yield vector
            continue
        ids = answer.get("special_ids") or reference.encode(text_of(vector)).ids
        told: Dict[str, object] = {**answer, "ids": ids}
        if vector.op == "long":
            told.update(count=len(ids), ids=digest(ids))  # type: ignore[arg-type]
        kept: Tuple[str, ...] = ("sha256", "ids", "count")
        yield replace(vector, expect={target.name: {key: told[key] for key in kept if key in told}})


def _reference(target: Target) -> Tokenizer:
    if target.path is None:
        raise UsageError(f"{target.name} is needed for its special tokens: {target.reason}")
    description = Tokenizer.from_file(target.path).description
    return Tokenizer.from_description(replace(description, truncation=None, padding=None))
