"""Cases by the batch: the same findings as one by one, nothing asked twice, a death costs one case."""

from __future__ import annotations

import multiprocessing
import os
import random
from types import SimpleNamespace

import pytest

from tokassay import data
from tokassay.checks.engine import UnavailableError
from tokassay.fuzzing import campaign, worker
from tokassay.fuzzing.batches import MOST, SECONDS, answers, next_size
from tokassay.fuzzing.storing import Store
from tokassay.fuzzing.target import Found, Setting, programs

GPT2 = str(data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")


def opened(engine):
    return programs()["encode"].open(Setting(engine, "hf", (GPT2,)))


def drawn(target, count):
    return [target.draw(random.Random(number)) for number in range(count)]


@pytest.mark.parametrize("engine", ["reference", "fake:wrong", "fake:raises", "fake:modest"])
def test_a_batch_finds_what_its_cases_show_one_by_one(engine):
    target, asked = opened(engine), []
    cases = drawn(target, 80)
    assert target.check_all(cases, asked.append) == [target.check(case) for case in cases]
    assert sorted(asked) == sorted(
        number for number, case in enumerate(cases) for _ in range(2 - case["whole"])
    )


@pytest.mark.parametrize(("engine", "kind"), [("fake:crashes", "crash"), ("fake:hangs", "timeout")])
def test_what_fails_once_is_found_though_it_would_work_the_second_time(engine, kind):
    target = opened(engine)
    cases = [case for case in drawn(target, 20) if not case["whole"]]
    found = target.check_all(cases, lambda _: None)
    assert [number for number, one in enumerate(found) if one is not None] == [6]
    assert found[6].kind == kind


def test_a_missing_engine_ends_the_batch():
    def ask(*_):
        raise UnavailableError("gone")

    with pytest.raises(UnavailableError):
        answers(ask, [(0, "a", True)], lambda _: None)


def test_a_batch_is_as_large_as_the_engine_is_quick():
    assert (next_size(1, 0.0), next_size(MOST, 0.0)) == (2, MOST)
    assert (next_size(8, SECONDS * 0.7), next_size(8, SECONDS * 2), next_size(1, 9.0)) == (8, 4, 1)


class Deadly:
    """Goes down with case 70, and finds something in cases 68 and 71: all are in one batch."""

    def draw(self, chance):
        return {"number": chance.number}

    def check_all(self, cases, at):
        for number, case in enumerate(cases):
            at(number)
            if case["number"] == 70:
                os._exit(3)
        return [Found(f"case {one['number']}") if one["number"] in (68, 71) else None for one in cases]

    def check(self, case):
        return self.check_all([case], lambda _: None)[0]


class Numbered(random.Random):
    """Knows the number that it is seeded with."""

    def seed(self, number=0, _=2):
        self.number = number & 0xFFFF


class Pipe:
    def __init__(self):
        self.messages = []

    def send(self, message):
        self.messages.append(message)


@pytest.mark.parametrize("end", [68, 69])
def test_a_loop_tries_every_number_once_whatever_the_batches(monkeypatch, end):
    monkeypatch.setattr(worker, "random", SimpleNamespace(Random=Numbered))
    pipe, place = Pipe(), [-1, -1]
    worker._Loop(worker.Job("none", Setting(), 1, 0, 2, end, skipped=(4,)), Deadly(), pipe, place).run()
    assert sum(message[2] for message in pipe.messages if message[0] == "progress") == (end + 1) // 2 - 1
    assert place[0] == (end - 1) // 2 * 2
    assert next(message[1] for message in pipe.messages if message[0] == "progress") == place[0] + 2


def deadly_work(job, pipe, place):
    pipe.send(("ready",))
    worker._Loop(job, Deadly(), pipe, place).run()


def test_a_worker_that_dies_within_a_batch_costs_one_case(tmp_path, monkeypatch):
    """The next one tries the others of that batch, in front of it and behind it."""
    monkeypatch.setattr(worker, "random", SimpleNamespace(Random=Numbered))
    monkeypatch.setattr(campaign, "work", deadly_work)
    plan = campaign.Plan("deadly", Setting(), 3, 1, None, 100)
    run = campaign.Campaign(plan, Store.open(tmp_path), lambda _: None)
    run.context = multiprocessing.get_context("fork")
    run.run()
    found = {one.found.what: one.index for one in run.store.findings.values()}
    assert found == {"answer": 70, "case 68": 68, "case 71": 71}
    assert (run.progress.restarts, run.state.next) == (1, [100])


def test_a_check_that_fails_by_itself_within_a_batch_is_a_finding(monkeypatch):
    target = opened("reference")
    monkeypatch.setattr(type(target), "check", lambda *_: 1 / 0)
    cases = [{**case, "whole": True} for case in drawn(target, 2)]
    found = target.check_all(cases, lambda _: None)
    assert [(one.kind, one.where) for one in found] == [
        ("error", "ZeroDivisionError in test_batches.py: <lambda>")
    ] * 2
