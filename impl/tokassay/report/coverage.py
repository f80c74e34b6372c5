"""Which clauses of the specification a run has tried, and where engines failed on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Dict, List, Mapping, Sequence, Tuple

from tokassay import data
from tokassay.verdicts.clauses import sentence

_HEADING = re.compile(r"#{2,4} `([a-z0-9.-]+)`")
NOWHERE = "not in the specification"


@dataclass(frozen=True)
class Clause:
    """One clause: how many checks were tried and failed, and the engines that failed on it."""

    anchor: str
    sentence: str
    tried: int
    failed: int
    failing: Tuple[Tuple[str, int], ...]

    @property
    def state(self) -> str:
        if self.failed:
            return "failed"
        return "passed" if self.tried else "not tried"


@dataclass(frozen=True)
class Page:
    """The clauses of one page of the specification."""

    name: str
    clauses: Tuple[Clause, ...]

    def count(self, state: str) -> int:
        return sum(clause.state == state for clause in self.clauses)


@lru_cache(maxsize=1)
def anchors() -> Mapping[str, Tuple[str, ...]]:
    """Page → its clauses, as they stand there; empty where the pages are not at hand."""
    found: Dict[str, Tuple[str, ...]] = {}
    for path in sorted((data.root() / "docs" / "spec").glob("*.md")):
        headings = map(_HEADING.match, path.read_text("utf-8").split("\n"))
        names = tuple(match.group(1) for match in headings if match)
        if names:
            found[path.stem] = names
    return found


def pages(counts: Mapping[str, Mapping[str, Sequence[int]]]) -> List[Page]:
    """The whole specification with a run's counts (engine → clause → concerned, tried, failed)."""
    known = anchors()
    cited = {clause for found in counts.values() for clause in found}
    foreign = sorted(cited - {anchor for names in known.values() for anchor in names})
    rows = [(name, names) for name, names in known.items()] + [(NOWHERE, tuple(foreign))] * bool(foreign)
    return [Page(name, tuple(_clause(anchor, counts) for anchor in names)) for name, names in rows]


def _clause(anchor: str, counts: Mapping[str, Mapping[str, Sequence[int]]]) -> Clause:
    found = {engine: clauses[anchor] for engine, clauses in counts.items() if anchor in clauses}
    failing = tuple((engine, one[2]) for engine, one in found.items() if one[2])
    tried, failed = (sum(one[place] for one in found.values()) for place in (1, 2))
    return Clause(anchor, sentence(anchor) or "", tried, failed, failing)
