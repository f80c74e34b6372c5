"""What lies behind a divergence: the first stage that differs, and the values behind a digest."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Iterable, Iterator, List, Mapping, Optional

from tokassay import engines
from tokassay.checks.asking import encoded, sweep_items, swept, text_of
from tokassay.checks.engine import EngineError, Session
from tokassay.checks.judging import ask
from tokassay.checks.vector import SPECIAL_FIELDS, Vector
from tokassay.checks.verdict import Difference, Verdict
from tokassay.verdicts.driver import Diagnose
from tokassay.verdicts.stages import first_difference

from .explaining import shape

WITNESSES = ("hf", "reference")  # who can tell what is right; the oracle first
_BY_SUITE = {"decode": "decoder", "stream": "stream"}
_BY_WHAT = {"tokens": "model", "ids with special tokens": "post-processor"}


def diagnoser(originals: Optional[Mapping[str, str]] = None) -> Diagnose:
    """A function for one run; it keeps the last opened witnesses.

    `originals`: the file that an engine loads → the one of which it is an export; a witness loads that.
    """
    right = dict(originals or {})

    @lru_cache(maxsize=2)
    def opened(name: str, path: str) -> Session:
        return engines.open(name).load(path)

    def witnesses(session: Session) -> Iterator[Session]:
        path = right.get(session.path, session.path)
        for name in WITNESSES:
            if name != session.info.name or path != session.path:
                try:
                    yield ask(opened, name, path)
                except EngineError:  # not installed, or it cannot load this file: ask the next one
                    continue

    def diagnose(session: Session, vector: Vector, verdict: Verdict) -> Verdict:
        if verdict.difference is not None and verdict.suite != "determinism":
            verdict = replace(verdict, cause=shape(verdict.difference.expected, verdict.difference.got))
        witness = next(witnesses(session), None)
        if witness is None:
            return replace(verdict, stage=_by_name(verdict))
        better = _behind_digest(witness, session, vector, verdict)
        found = replace(verdict, difference=better) if better else verdict
        return replace(found, stage=_stage(witness, session, vector, found) or _by_name(found))

    return diagnose


def _by_name(verdict: Verdict) -> str:
    what = verdict.difference.what if verdict.difference else ""
    return _BY_SUITE.get(verdict.suite, "") or _BY_WHAT.get(what, "")


def _stage(witness: Session, session: Session, vector: Vector, verdict: Verdict) -> str:
    """The first stage at which the two part, where both can tell and a text is what was given."""
    able = "stages" in session.info.capabilities and "stages" in witness.info.capabilities
    if not able or vector.op not in ("encode", "long") or verdict.suite in _BY_SUITE:
        return ""
    try:
        return first_difference(ask(witness.stages, text_of(vector)), ask(session.stages, text_of(vector)))
    except EngineError:
        return ""


def _behind_digest(
    witness: Session, session: Session, vector: Vector, verdict: Verdict
) -> Optional[Difference]:
    """The values that a digest stands for, where the witness agrees that they differ."""
    if verdict.difference is None or not verdict.difference.what.startswith("sha256 of"):
        return None
    try:
        if vector.op == "sweep":
            return _in_sweep(witness, session, vector)
        if vector.op == "encode":
            return _in_columns(witness, session, vector)
    except EngineError:
        pass
    return None


def _in_columns(witness: Session, session: Session, vector: Vector) -> Optional[Difference]:
    for special in (False, True):
        right, got = (encoded(one, vector, special=special) for one in (witness, session))
        for name in ("ids", *_both(SPECIAL_FIELDS, witness, session)):
            a, b = (list(ask(getattr, one, name)) for one in (right, got))
            if a != b:
                return Difference(name + " with special tokens" * special, a, b)
    return None


def _both(names: Iterable[str], *sessions: Session) -> List[str]:
    """The columns that every session claims."""

    def claimed(name: str) -> bool:
        needed = name if name in ("tokens", "offsets") else "masks"
        return all(needed in session.info.capabilities for session in sessions)

    return [name for name in names if claimed(name)]


def _in_sweep(witness: Session, session: Session, vector: Vector) -> Optional[Difference]:
    sweep = str(vector.given["sweep"])
    for number, ids in enumerate(sweep_items(witness.path, vector)):
        right, got = swept(witness, sweep, ids), swept(session, sweep, ids)
        if right != got:
            return Difference(f"item {number} (ids {list(ids)})", right, got)
    return None
