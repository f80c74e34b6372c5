"""A run on several processors gives the same events, and survives a process that dies."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Iterable

import pytest

from tokassay import data, engines
from tokassay.checks import suites
from tokassay.checks.engine import EngineInfo, Session, UnavailableError
from tokassay.cli._jobs import can_spread, spread
from tokassay.cli._plan import Selection, plan
from tokassay.engines.wire import WireEngine
from tokassay.verdicts.driver import Plan, run, run_plan_body
from tokassay.verdicts.events import EngineDown, Event, Footer, Measured, NotRun

DIGITS = data.root() / "golden" / "vectors" / "encode" / "digits.jsonl"
SOME = ("word-level-lowercase", "bert-cased", "pairs-ascending-gpt2")


def small() -> Plan:
    return plan(
        Selection(engines=("reference",), tokenizers=SOME, suites=("encode", "decode"), folder=DIGITS)
    )


def untimed(events: Iterable[Event]) -> list[Event]:
    return [replace(event, calls={}) if isinstance(event, Measured) else event for event in events]


def test_two_processes_give_the_events_of_one():
    whole = small()
    assert can_spread(whole)
    assert untimed(spread(whole, 2)) == untimed(run_plan_body(whole))


def test_what_is_broken_is_told_once():
    whole = Plan("1", small().engines, small().targets, list(suites().values()), broken={"data": "stale"})
    assert sum(type(event).__name__ == "Broken" for event in spread(whole, 2)) == 1


def test_engines_that_are_not_in_this_process_are_not_forked():
    whole = small()
    other = Plan("1", [engines.open("fake:modest")], whole.targets, whole.suites)
    assert not can_spread(other)


@dataclass(frozen=True)
class Deadly:
    """An engine whose library ends the process."""

    info: EngineInfo

    def load(self, _: str) -> Session:
        os._exit(1)


def test_a_process_that_dies_is_an_engine_that_is_down():
    whole = small()
    deadly = Plan(
        "1", [Deadly(EngineInfo("deadly", "1", frozenset({"encode"})))], whole.targets, whole.suites
    )
    events = list(run(deadly, lambda part: spread(part, 2)))
    assert {event.engine for event in events if isinstance(event, EngineDown)} == {"deadly"}
    assert sum(event.count for event in events if isinstance(event, NotRun)) == 6 * 13
    footer = events[-1]
    assert isinstance(footer, Footer)
    assert footer.exit_code == 3


def test_a_child_that_does_not_start_again_is_down(monkeypatch: pytest.MonkeyPatch):
    def refuse(_: WireEngine):
        raise UnavailableError("not twice")

    monkeypatch.setattr(WireEngine, "again", refuse)
    selection = Selection(engines=("hf",), tokenizers=SOME[:1], suites=("encode",), folder=DIGITS)
    events = list(spread(plan(selection), 2))
    assert [event.reason for event in events if isinstance(event, EngineDown)] == ["not twice"]
    assert [event.count for event in events if isinstance(event, NotRun)] == [13]


def test_a_child_is_started_again_in_each_process():
    selection = Selection(engines=("hf",), tokenizers=SOME, suites=("encode",), folder=DIGITS)
    whole = plan(selection)
    assert can_spread(whole)
    assert untimed(spread(whole, 2)) == untimed(run_plan_body(whole))
