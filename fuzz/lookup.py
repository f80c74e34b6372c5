"""Lookup: drafts of random histories equal those of a history built at once, and of a plain scan."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, List, Optional

from tokassay import lookup
from tokassay.checks.engine import EngineError, RefusalError
from tokassay.fuzzing.coverage import main, one_session
from tokassay.fuzzing.grammar import histories
from tokassay.fuzzing.target import Case, Found, Setting
from tokassay.lookup.replay import replay
from tokassay.vectors import scanning


@dataclass(frozen=True)
class Lookup:
    """`engine` answers look-ups; the reference's own index is held against the definition."""

    engine: Any

    def draw(self, chance: Random) -> Case:
        return histories.history(chance)

    def check(self, case: Case) -> Optional[Found]:
        rule, options, calls = case["rule"], case["options"], case["calls"]
        try:
            got = [list(draft) for draft in self.engine(rule, options, calls)]
        except RefusalError:
            return None
        expected = [_at_once(rule, options, runs) for runs in histories.drafted(calls)]
        scanned = scanning.drafts(case)
        if got == expected == scanned:
            return None
        return Found("draft", "diverge", rule, scanned if got == expected else expected, got)


def _at_once(rule: str, options: Any, runs: List[histories.Run]) -> List[int]:
    if rule == "seed":
        ids = [index for _, run in runs for index in run]
        return lookup.find_candidate_ids(ids, options["max_ngram"], options["num_draft"])
    built = lookup.NgramIndex(rule, **options)
    for role, run in runs:
        built.extend(run, role=role)
    return built.draft()


def open_target(setting: Setting) -> Lookup:
    if setting.engine == "reference":
        return Lookup(replay)
    session = one_session(setting)
    with contextlib.suppress(EngineError):  # what is loaded at first use is not a case's time
        session.lookup("hf", {"max_ngram": 1, "num_draft": 1}, [{"draft": True}])
    return Lookup(session.lookup)


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
