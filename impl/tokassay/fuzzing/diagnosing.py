"""From what a campaign found to causes and reproducer cards, where the finding is about a tokenizer file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import List, Optional

from tokassay.checks.engine import Engine, EngineError
from tokassay.core.errors import TokassayError
from tokassay.diagnosis import cards
from tokassay.diagnosis.bench import Bench, Clock
from tokassay.diagnosis.explaining import Cause, best
from tokassay.diagnosis.question import COLUMNS, Question
from tokassay.diagnosis.seeing import Seen, seen
from tokassay.mutants import engine_at

from .storing import Finding, Store
from .target import Setting

SECONDS = 5.0
MOST = 40


def diagnosed(store: Store, setting: Setting) -> List[Finding]:
    """Every finding of the store, under its cause where one is found; with a card beside it."""
    found = sorted(store.findings.values(), key=lambda one: one.key)
    open_ones = [one for one in found if not one.cause and question_of(one) is not None][:MOST]
    if open_ones and setting.engine == open_ones[0].engine:
        engine = engine_at(setting.engine, isolate=setting.engine != "hf")
        for finding in open_ones:
            _diagnose(store, finding, engine, setting)
    return sorted(store.findings.values(), key=lambda one: one.key)


def question_of(finding: Finding) -> Optional[Question]:
    """The question that a finding is about; None where it is not about one text or list of ids."""
    case, what = finding.case, finding.found.what
    if finding.found.kind in ("crash", "timeout") and "index" in case:
        return None
    if what in COLUMNS:
        text = case.get("text")
        if text is None and len(case.get("texts") or ()) == 1:
            text = case["texts"][0]
        return None if text is None else Question(what, text, special=bool(case.get("special", True)))
    if what in ("text", "stream") and "ids" in case:
        return Question(what, ids=tuple(case["ids"]), special=bool(case.get("skip", True)))
    return None


def tokenizer_of(finding: Finding, folder: Path) -> Optional[Path]:
    """The finding's tokenizer as a file; a document is written into the folder."""
    case = finding.case
    if "document" in case:
        path = folder / "document.json"
        path.write_text(json.dumps(case["document"]), "ascii")
        return path
    return Path(case["tokenizer"]) if "tokenizer" in case else None


def _diagnose(store: Store, finding: Finding, engine: Engine, setting: Setting) -> None:
    question = question_of(finding)
    path = tokenizer_of(finding, store.place(finding))
    if question is None or path is None:
        return
    try:
        bench = Bench.of(engine, str(path))
        failure = bench.failure(question) if bench is not None else None
        if bench is None or failure is None:
            return
        cause = Cause("", "", "")
        if failure.difference is not None:
            case = (question, failure.difference.got)
            cause = best(str(path), [case], [], Clock.of(SECONDS).in_time).get(0, cause)
        made = seen(bench, question, failure.kind, cause, SECONDS)
        named = store.rename(finding, cause.line) if cause.line else finding
        line = Cause(cause.code, cause.line or finding.found.signature, cause.stage)
        what = cards.Reproduced(engine, setting.engine, path.parent.name, failure.kind, _titled(made, line))
        cards.write(store.place(named) / "card", bench, what, SECONDS)
    except (EngineError, TokassayError, OSError, AssertionError):
        return  # the finding stays as it was found


def _titled(made: Seen, cause: Cause) -> Seen:
    return replace(made, cause=cause)
