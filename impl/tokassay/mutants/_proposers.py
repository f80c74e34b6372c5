"""Faulty proposers of drafts as engines, which look up and do nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, List, Mapping, Optional, Sequence, cast

from tokassay.checks.engine import Engine, EngineInfo, Session
from tokassay.vectors import scanning

Row = Mapping[str, Any]
Drafts = List[List[int]]
Answering = Callable[[Row], Optional[Drafts]]
"""What a faulty engine answers to the input of a look-up vector; None where the fault does not concern it."""


@dataclass(frozen=True)
class Proposer:
    """One mutant: `models` is what is wrong, `clause` what it breaks."""

    name: str
    clause: str
    models: str
    answering: Answering

    def open_engine(self) -> Engine:
        info = EngineInfo(self.name, "1", frozenset({"lookup"}))
        return cast("Engine", ProposingEngine(info, self.answering))


@dataclass(frozen=True)
class ProposingEngine:
    """The engine, and its session as well: ids in, ids out, whatever file is loaded."""

    info: EngineInfo
    answering: Answering
    path: str = ""

    def load(self, path: str) -> Session:
        return cast("Session", ProposingEngine(self.info, self.answering, path))

    def lookup(
        self, rule: str, options: Mapping[str, object], calls: Sequence[Mapping[str, object]]
    ) -> Sequence[Sequence[int]]:
        row = {"rule": rule, "options": options, "calls": calls}
        found = self.answering(row)
        return scanning.drafts(row) if found is None else found
