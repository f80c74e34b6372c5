"""Host against board: what stands for all answers, by suite, tokenizer and core, and whether it is one."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokassay.board.verifying import Verified
from tokassay.checks import determinism
from tokassay.checks.verdict import FAILURES, Verdict
from tokassay.device.hosted import case as case_name
from tokassay.device.hosted import reason_missing
from tokassay.device.reference import NAME

from .board_view import core_name

EQUAL, DIFFERS, OTHER, UNKNOWN = "equal", "differs", "other than the reference", "not derived"
DIGITS = 16  # of a sum, in a table
Case = tuple[str, str]  # engine and tokenizer


@dataclass(frozen=True)
class Beside:
    """One row: sums of each core ("" where a suite runs on the first core alone), of threads, of the host.

    Attributes:
        threads: "" where the suite asks no threads.
        note: of how many vectors the answers are others, or why the host has none.
    """

    suite: str
    engine: str
    tokenizer: str
    cores: tuple[str, ...]
    threads: str
    host: str
    state: str
    note: str = ""

    @property
    def sums(self) -> tuple[str, ...]:
        return *self.cores, self.threads, self.host


def cores(found: Verified) -> tuple[str, ...]:
    """The heads of the columns."""
    return tuple(core_name(core["part"]) for core in found.evidence.facts["ids"])


def rows(found: Verified) -> list[Beside]:
    """Every suite, engine and tokenizer, in the order of the header."""
    header, answers = found.evidence.header, found.summary["answers"]
    threads = _threads(found)
    return [
        _row(found, suite, (engine, tokenizer), threads)
        for suite in header.suites
        for engine in sorted(answers)
        for tokenizer in sorted(answers[engine])
        if suite in answers[engine][tokenizer]
    ]


def _row(found: Verified, suite: str, case: Case, threads: Mapping[Case, bool]) -> Beside:
    host, (engine, tokenizer) = found.again.host, case
    told, there = _told(found, suite, case), found.summary["answers"][engine][tokenizer][suite]
    here = host["answers"].get(engine, {}).get(tokenizer, {}).get(suite, "")
    one = here == there and (suite != determinism.SUITE or _ids_are_one(found, case, told))
    if suite == determinism.SUITE and here:
        here = host["ids"].get(engine, {}).get(tokenizer, here)
    state = UNKNOWN if not here else EQUAL if one else DIFFERS if engine == NAME else OTHER
    why = host["unlike"].get(case_name(engine, tokenizer, suite), "")
    note = why if here else reason_missing(host, tokenizer, suite)
    return Beside(suite, engine, tokenizer, told, _of_threads(suite, case, told, threads), here, state, note)


def _told(found: Verified, suite: str, case: Case) -> tuple[str, ...]:
    """Of each core: of ids where the determinism suite asked, of all answers else, on the first core."""
    engine, tokenizer = case
    every = found.evidence.facts["ids"]
    if suite == determinism.SUITE and tokenizer in every[0]["ids"].get(engine, {}):
        return tuple(core["ids"].get(engine, {}).get(tokenizer, "none") for core in every)
    return (found.summary["answers"][engine][tokenizer][suite], *[""] * (len(every) - 1))


def _ids_are_one(found: Verified, case: Case, told: Sequence[str]) -> bool:
    here = found.again.host["ids"].get(case[0], {}).get(case[1])
    return len(set(told) - {""}) == 1 and here in (None, told[0])


def _of_threads(suite: str, case: Case, told: Sequence[str], threads: Mapping[Case, bool]) -> str:
    """A verdict of the determinism suite passes where threads answer as the first one does."""
    if suite != determinism.SUITE:
        return ""
    return told[0] if threads.get(case, False) else "others"


def _threads(found: Verified) -> Mapping[Case, bool]:
    """Whether all that the determinism suite tried holds, from other threads, too."""
    held: dict[Case, bool] = {}
    for event in found.evidence.events:
        if isinstance(event, Verdict) and event.suite == determinism.SUITE:
            case = event.engine, event.tokenizer
            held[case] = held.get(case, True) and event.kind not in FAILURES
    return held


@dataclass(frozen=True)
class Together:
    """One engine in one suite over all tokenizers: a sum of sums, and how many are in which state."""

    suite: str
    engine: str
    cores: tuple[str, ...]
    threads: str
    host: str
    states: Mapping[str, int]

    @property
    def sums(self) -> tuple[str, ...]:
        return *self.cores, self.threads, self.host


def together(rows: Iterable[Beside]) -> Iterator[Together]:
    """For a note that has no room for each tokenizer."""
    grouped: dict[tuple[str, str], list[Beside]] = {}
    for row in rows:
        grouped.setdefault((row.suite, row.engine), []).append(row)
    for (suite, engine), group in grouped.items():
        columns = zip(*(row.cores for row in group), strict=True)
        states = Counter(row.state for row in group)
        yield Together(
            suite,
            engine,
            tuple(_one(group, column) for column in columns),
            _one(group, [row.threads for row in group]),
            _one(group, [row.host for row in group]),
            {state: states[state] for state in (EQUAL, DIFFERS, OTHER, UNKNOWN) if states[state]},
        )


def _one(group: Sequence[Beside], sums: Iterable[Any]) -> str:
    """Of a column; nothing where nothing stands in it."""
    told = [(row.tokenizer, one) for row, one in zip(group, sums, strict=True)]
    if not any(one for _, one in told):
        return ""
    return hashlib.sha256("".join(f"{name}\n{one}\n" for name, one in told).encode("utf-8")).hexdigest()


def short(total: str) -> str:
    return total[:DIGITS]
