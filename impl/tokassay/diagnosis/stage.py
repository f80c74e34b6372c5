"""The first stage at which a diverging engine parts from the right way."""

from __future__ import annotations

from functools import lru_cache
from typing import Iterator

from tokassay import engines
from tokassay.checks.asking import text_of
from tokassay.checks.engine import EngineError, Session
from tokassay.checks.judging import ask
from tokassay.checks.vector import Vector
from tokassay.checks.verdict import Verdict
from tokassay.verdicts.driver import Diagnose
from tokassay.verdicts.stages import first_difference

WITNESSES = ("hf", "reference")  # who can tell what each stage should do; the oracle first
_BY_SUITE = {"decode": "decoder", "stream": "stream"}
_BY_WHAT = {"tokens": "model", "ids with special tokens": "post-processor"}


def diagnoser() -> Diagnose:
    """A function for one run; it keeps the last opened witness."""

    @lru_cache(maxsize=2)
    def opened(name: str, path: str) -> Session:
        return engines.open(name).load(path)

    def witnesses(session: Session) -> Iterator[Session]:
        for name in WITNESSES:
            if name != session.info.name:
                try:
                    yield ask(opened, name, session.path)
                except EngineError:  # not installed, or it cannot load this file: ask the next one
                    continue

    def diagnose(session: Session, vector: Vector, verdict: Verdict) -> str:
        known = _BY_SUITE.get(verdict.suite)
        if known or "stages" not in session.info.capabilities or vector.op not in ("encode", "long"):
            return known or ""
        account = _first(session, witnesses(session), text_of(vector))
        what = verdict.difference.what if verdict.difference else ""
        return account or _BY_WHAT.get(what, "")

    return diagnose


def _first(session: Session, witnesses: Iterator[Session], text: str) -> str:
    for witness in witnesses:
        try:
            return first_difference(ask(witness.stages, text), ask(session.stages, text))
        except EngineError:  # noqa: PERF203 - ask the next one
            continue
    return ""
