"""Figures per part of the package, and what survived: with the reason why no test can see it, or open.

A run takes hours while work goes on: a survivor whose line is no longer in the source is counted apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Sequence, Tuple

import tomllib

from .sampling import PACKAGE, Config, Mutation

EXPLAINED = Path(__file__).with_name("survivors.toml")
OPEN, REWRITTEN = "OPEN", "the line has been rewritten since"
Row = Mapping[str, object]
Key = Tuple[str, str, str]  # module, operator without variant, source line: line numbers move


def read_results(path: Path) -> Dict[str, List[Row]]:
    """The tries of each mutation, the latest last."""
    found: Dict[str, List[Row]] = {}
    for line in path.read_text("utf-8").splitlines() if path.is_file() else []:
        row = json.loads(line)
        found.setdefault(Mutation(**row["mutation"]).name, []).append(row)
    return found


def read_explained(path: Path = EXPLAINED) -> Dict[Key, str]:
    """Why it is no fault of the tests, of each survivor that was looked at."""
    entries = tomllib.loads(path.read_text("utf-8"))["survivor"]
    return {(one["module"], one["operator"], one["text"]): one["reason"] for one in entries}


@dataclass(frozen=True)
class Tried:
    """A valid mutant, how it ended at the first try and how after the latest."""

    mutation: Mutation
    text: str
    first: str
    last: str

    @property
    def key(self) -> Key:
        return self.mutation.module, self.mutation.family, self.text

    @property
    def alive(self) -> bool:
        return self.last == "survived"

    def why(self, explained: Mapping[Key, str]) -> str:
        """Of a survivor."""
        path = PACKAGE / self.mutation.module
        lines = path.read_text("utf-8").splitlines() if path.is_file() else []
        if self.text not in map(str.strip, lines):
            return REWRITTEN
        return explained.get(self.key, OPEN)


def tried(results: Mapping[str, Sequence[Row]]) -> List[Tried]:
    """Those that compile."""
    found = []
    for rows in results.values():
        mutation, text = Mutation(**rows[-1]["mutation"]), str(rows[-1]["text"])  # type: ignore[arg-type]
        found.append(Tried(mutation, text, str(rows[0]["outcome"]), str(rows[-1]["outcome"])))
    return [one for one in found if one.last != "invalid"]


@dataclass(frozen=True)
class Figures:
    """Of one part: how many were tried, killed (at first, now), rewritten since, and are open."""

    part: str
    tried: int
    at_first: int
    killed: int
    rewritten: int
    open: int

    @property
    def explained(self) -> int:
        return self.tried - self.killed - self.rewritten - self.open

    @property
    def rate(self) -> float:
        return self.killed / max(self.tried, 1)

    def row(self) -> Tuple[str, ...]:
        counts = (self.tried, self.at_first, self.killed, self.explained, self.rewritten, self.open)
        return (self.part, *map(str, counts), f"{self.rate:.1%}")


HEAD = ("part", "mutants", "killed at first", "killed", "explained", "rewritten", "open", "rate")


def figures(part: str, mutants: Sequence[Tried], explained: Mapping[Key, str]) -> Figures:
    of = [one for one in mutants if one.mutation.module.startswith(f"{part}/") or part == "all"]
    alive = [one for one in of if one.alive]
    at_first = sum(one.first != "survived" for one in of)
    reasons = [one.why(explained) for one in alive]
    killed = len(of) - len(alive)
    return Figures(part, len(of), at_first, killed, reasons.count(REWRITTEN), reasons.count(OPEN))


def survivors(mutants: Sequence[Tried], explained: Mapping[Key, str]) -> Iterator[Tuple[str, ...]]:
    """Of each survivor its place, operator, source line and why."""
    for one in sorted(mutants, key=lambda one: (one.mutation.module, one.mutation.line)):
        if one.alive:
            place = f"{one.mutation.module}:{one.mutation.line}"
            operator = one.mutation.operator.split("/")[1]
            yield place, operator, one.text, one.why(explained)


def plain(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("  ".join(row) for row in [head, *rows])


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def report(config: Config, results: Path, *, as_markdown: bool) -> int:
    """1 where fewer than 85 % are killed or a survivor is open."""
    mutants, explained = tried(read_results(results)), read_explained()
    every = [figures(part, mutants, explained) for part in (*config.parts, "all")]
    table = markdown if as_markdown else plain
    print(table(HEAD, [one.row() for one in every]))
    print()
    rows = list(survivors(mutants, explained))
    if as_markdown:
        rows = [(place, operator, f"`{text}`", reason) for place, operator, text, reason in rows]
    print(table(("survivor", "operator", "source", "why"), rows))
    return int(every[-1].rate < 0.85 or every[-1].open > 0)
