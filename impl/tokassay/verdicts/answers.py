"""What stands for all answers of a suite, to be compared between machines (clause ``run.answers``)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Tuple

from tokassay.checks.verdict import TRIED, Verdict

from .events import Event, to_json

Key = Tuple[str, str, str]  # engine, tokenizer, suite
Sums = Dict[str, Dict[str, Dict[str, str]]]
MODULUS = 2**256


def answer_of(line: Mapping[str, Any]) -> int:
    """Of a verdict's line: vector, kind, digest of the ids, and the answer where it is not the stored one."""
    got = line.get("difference", {}).get("got")
    told = json.dumps([line["vector"], line["kind"], line.get("digest", ""), got])
    return int.from_bytes(hashlib.sha256(told.encode("ascii")).digest(), "big")


def line_of(verdict: Verdict) -> Mapping[str, Any]:
    """What `answer_of` reads of a verdict, as a report has it."""
    if verdict.difference is None:
        return {"vector": verdict.vector, "kind": verdict.kind, "digest": verdict.digest}
    found: Mapping[str, Any] = json.loads(to_json(verdict))
    return found


@dataclass
class Answers:
    """Sums kept while a stream goes by: neither the order nor the number of processes matters."""

    totals: Dict[Key, int] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        if isinstance(event, Verdict) and event.kind in TRIED:
            self.put((event.engine, event.tokenizer, event.suite), answer_of(line_of(event)))

    def put(self, key: Key, answer: int) -> None:
        self.totals[key] = (self.totals.get(key, 0) + answer) % MODULUS

    def sums(self) -> Sums:
        """Engine → tokenizer → suite → what stands for its answers."""
        found: Sums = {}
        for (engine, tokenizer, suite), total in sorted(self.totals.items()):
            found.setdefault(engine, {}).setdefault(tokenizer, {})[suite] = f"{total:064x}"
        return found
