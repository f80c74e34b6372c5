"""Lookup: drafts of random histories equal those of a history built at once, and of the definition."""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, List, Optional

from tokassay import engines, lookup
from tokassay.fuzzing.coverage import main
from tokassay.fuzzing.grammar import histories
from tokassay.fuzzing.target import Case, Found, Setting
from tokassay.lookup.replay import replay


@dataclass(frozen=True)
class Lookup:
    """`engine` answers look-ups; the reference's own index is held against the definition."""

    engine: Any

    def draw(self, chance: Random) -> Case:
        return histories.history(chance)

    def check(self, case: Case) -> Optional[Found]:
        rule, options, calls = case["rule"], case["options"], case["calls"]
        got = [list(draft) for draft in self.engine(rule, options, calls)]
        expected = [_at_once(rule, options, history) for history in histories.drafted(calls)]
        if got != expected:
            return Found("draft", "diverge", rule, expected, got)
        return None


def _at_once(rule: str, options: Any, history: Any) -> List[int]:
    if rule == "seed":
        ids = [index for index, _ in history]
        return lookup.find_candidate_ids(ids, options["max_ngram"], options["num_draft"])
    built = lookup.NgramIndex(rule, **options)
    for role, run in itertools.groupby(history, key=lambda one: one[1]):
        built.extend([index for index, _ in run], role=role)
    return built.draft()


def open_target(setting: Setting) -> Lookup:
    if setting.engine == "reference":
        return Lookup(replay)
    golden = next(iter(setting.tokenizers), "")
    return Lookup(engines.open(setting.engine).load(golden).lookup)


if __name__ == "__main__":
    sys.exit(main(Path(__file__)))
