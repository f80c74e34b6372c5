"""What the reference answers here, set beside a board's answers: every suite, each tokenizer at hand."""

from __future__ import annotations

import importlib
import platform
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tokassay import __version__
from tokassay.checks import determinism
from tokassay.checks.verdict import TRIED, Verdict
from tokassay.core.errors import TokassayError
from tokassay.device import folder as names
from tokassay.device.hosted import Host, case
from tokassay.device.making import compiled
from tokassay.verdicts.answers import Answers, Key, answer_of, line_of
from tokassay.verdicts.driver import run_plan_body
from tokassay.verdicts.events import Event, Header, Tally, checked

from .at_hand import AtHand
from .evidence import Evidence, Json
from .selection import planned

Asked = tuple[str, str, str]  # tokenizer, suite, vector


@dataclass(frozen=True)
class Ran:
    """The parts of a run that the host's answers are derived from."""

    request: Json
    events: Sequence[Event]
    compiled: Json

    @classmethod
    def of(cls, evidence: Evidence) -> Ran:
        return cls(evidence.request, evidence.events, evidence.facts["compiled"])

    @classmethod
    def read(cls, folder: Path) -> Ran:
        """Raises OSError, or ValueError where the results are not whole."""
        lines = (folder / names.RESULTS).read_text("ascii").split("\n")
        facts = names.read_json(folder / names.FACTS)
        return cls(
            names.read_json(folder / names.REQUEST), list(checked(lines, names.RESULTS)), facts["compiled"]
        )

    @property
    def tokenizers(self) -> list[str]:
        header = next(event for event in self.events if isinstance(event, Header))
        return [str(one["name"]) for one in header.tokenizers]


@dataclass
class _Beside:
    """The board's verdicts, and what the host's make of them. Mutable on purpose: one for each derivation."""

    told: Mapping[Asked, Sequence[Verdict]]
    left: Counter[tuple[str, str]]
    tried: Counter[Key]
    tally: Tally = field(default_factory=Tally)
    answers: Answers = field(default_factory=Answers)
    others: dict[Key, list[str]] = field(default_factory=dict)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, events: Sequence[Event]) -> _Beside:
        told: dict[Asked, list[Verdict]] = {}
        tried: Counter[Key] = Counter()
        for event in events:
            if isinstance(event, Verdict) and event.kind in TRIED:
                told.setdefault((event.tokenizer, event.suite, event.vector), []).append(event)
                tried[event.engine, event.tokenizer, event.suite] += 1
        return cls(told, Counter((tokenizer, suite) for tokenizer, suite, _ in told), tried)

    def meet(self, here: Event) -> None:
        """The host's verdict on a vector that the board tried; of others nothing is known there."""
        if not isinstance(here, Verdict):
            return
        pair = here.tokenizer, here.suite
        board = self.told.get((*pair, here.vector), ())
        if board and here.kind not in TRIED:
            self.refused[pair] = here.reason
            return
        if board:
            self.left[pair] -= 1
            self._set_beside(here, answer_of(line_of(here)), board)

    def _set_beside(self, here: Verdict, answer: int, board: Sequence[Verdict]) -> None:
        for there in board:
            key = there.engine, there.tokenizer, there.suite
            self.answers.put(key, answer)
            if there.digest:
                self.tally.add(replace(here, engine=there.engine))
            if answer_of(line_of(there)) != answer:
                self.others.setdefault(key, []).append(there.vector)

    def unlike(self, partly: Mapping[str, str]) -> dict[str, str]:
        return {
            case(*key): f"{len(found)} of {self.tried[key]} vectors, first {found[0]}"
            for key, found in self.others.items()
            if f"{key[1]} / {key[2]}" not in partly
        }

    def missing(self) -> Iterator[tuple[str, str]]:
        for (tokenizer, suite), count in self.left.items():
            if count:
                why = self.refused.get((tokenizer, suite)) or "they are not in what is at hand"
                yield f"{tokenizer} / {suite}", f"{count} vectors have no answer here: {why}"


def derived(ran: Ran, hand: AtHand, each: Callable[[], object] = int) -> Host:
    """The host's answers to what a board tried, as far as tokenizers and vectors are at hand.

    `each`: called before each answer; what it raises ends the derivation.
    """
    found = Host(str(ran.request["run"]), __version__, sys.version.split()[0], platform.platform())
    try:
        return _derived(found, ran, hand, each)
    except (TokassayError, ValueError, ImportError, OSError, zipfile.BadZipFile) as error:
        return replace(found, missing={name: str(error) for name in ran.tokenizers})


def _derived(empty: Host, ran: Ran, hand: AtHand, each: Callable[[], object]) -> Host:
    if not hand.archives:
        return replace(empty, missing=dict.fromkeys(ran.tokenizers, hand.reason))
    beside, inside, files = _Beside.of(ran.events), set[str](), dict[str, Path]()
    with planned(ran.request, list(hand.archives.values())) as plan:
        if plan is not None:
            inside = {target.name for target in plan.targets}
            files = {target.name: Path(target.path) for target in plan.targets if target.path}
            for event in run_plan_body(replace(plan, engines=[_reference()])):
                each()
                beside.meet(event)
        made = compiled(files, [name for name in ran.compiled if name in files])
    absent = {name: hand.reason for name in ran.tokenizers if name not in inside}
    partly = {where: why for where, why in beside.missing() if where.split(" / ")[0] in inside}
    found = replace(empty, compiled=made, unlike=beside.unlike(partly), missing={**absent, **partly})
    return replace(
        found, ids=_whole_ids(beside.tally, partly), answers=_whole_answers(beside.answers, partly)
    )


def _reference() -> Any:
    """As the command line opens it: with chat templates where jinja2 is installed."""
    return importlib.import_module("tokassay.engines.reference").open_engine("")


def _whole_ids(tally: Tally, partly: Mapping[str, str]) -> Json:
    return {
        engine: {name: one for name, one in told.items() if f"{name} / {determinism.SUITE}" not in partly}
        for engine, told in tally.ids().items()
    }


def _whole_answers(answers: Answers, partly: Mapping[str, str]) -> Json:
    """A sum over some of the vectors stands for nothing."""
    kept = {key: total for key, total in answers.totals.items() if f"{key[1]} / {key[2]}" not in partly}
    return Answers(kept).sums()


def write_host(folder: Path, ran: Ran, hand: AtHand, each: Callable[[], object] = int) -> None:
    """``host.json`` beside the files of a run; `each`: as in `derived`. Raises OSError."""
    names.write_json(folder / names.HOST, derived(ran, hand, each))


__all__ = ["Ran", "derived", "write_host"]
