"""Samples are raw and in order; percentiles are by nearest rank."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import List

import pytest

from tokassay import data
from tokassay.device.reference import reference
from tokassay.device.request import Timing
from tokassay.device.samples import derived, nearest_rank, take


@pytest.mark.parametrize(
    ("percent", "expected"), [(0, 15), (5, 15), (30, 20), (40, 20), (50, 35), (90, 50), (99, 50), (100, 50)]
)
def test_nearest_rank_of_five(percent: int, expected: int):
    assert nearest_rank([50, 15, 40, 20, 35], percent) == expected


def test_no_samples_have_no_percentile():
    with pytest.raises(ValueError, match="no samples"):
        nearest_rank([], 50)


def test_warm_up_calls_are_no_samples():
    calls: List[int] = []
    found = take(lambda _: calls.append(1), Timing(samples=10, seconds=0.0, most_seconds=60.0, warmup=3))
    assert (len(found.ns), len(calls), found.short) == (10, 13, False)
    assert all(isinstance(one, int) and one >= 0 for one in found.ns)


def test_a_series_goes_on_until_its_duration_is_reached():
    found = take(lambda _: None, Timing(samples=1, seconds=0.01, most_seconds=60.0, warmup=0))
    assert len(found.ns) > 1
    assert found.short is False


def test_a_series_that_ran_out_of_time_says_so():
    assert take(lambda _: None, Timing(samples=10**9, seconds=0.0, most_seconds=0.01, warmup=0)).short is True


@pytest.mark.parametrize(("most", "taken", "short"), [(60.0, 300, True), (600.0, 1024, False)])
def test_a_slow_call_has_all_its_samples_where_a_series_may_last_longer(
    most: float, taken: int, short: bool, monkeypatch: pytest.MonkeyPatch
):
    """A large tokenizer that loads in 200 ms."""
    now = [0]
    monkeypatch.setattr("time.perf_counter_ns", lambda: now[0])

    def load(_given: object) -> None:
        now[0] += 200_000_000

    found = take(load, replace(Timing(), most_seconds=most))
    assert (len(found.ns), found.short) == (taken, short)


def test_giving_back_an_answer_is_no_part_of_the_next_call(monkeypatch: pytest.MonkeyPatch):
    """A tokenizer that was loaded takes long to go, and would need memory beside the next one."""
    now, held = [0], [0]
    monkeypatch.setattr("time.perf_counter_ns", lambda: now[0])

    class Loaded:
        def __init__(self) -> None:
            now[0] += 7
            held[0] += 1
            assert held[0] == 1

        def __del__(self) -> None:
            now[0] += 1000
            held[0] -= 1

    found = take(lambda _: Loaded(), Timing(samples=4, seconds=0.0, most_seconds=60.0, warmup=2))
    assert found.ns == (7, 7, 7, 7)


def test_the_collector_rests_meanwhile_and_works_again():
    seen: List[bool] = []
    take(lambda _: seen.append(gc.isenabled()), Timing(samples=1, seconds=0.0, most_seconds=60.0, warmup=0))
    assert (seen, gc.isenabled()) == ([False], True)


@pytest.mark.parametrize("name", ["gpt2", "t5", "bert-uncased", "word-level-lowercase"])
def test_a_loaded_tokenizer_goes_without_the_collector(name: str):
    """A thousand loads in a row, in which it rests, would each leave what a cycle holds."""
    engine, path = reference(), data.root() / "golden" / "tokenizers" / name / "tokenizer.json"
    engine.load(str(path))
    gc.collect()
    gc.disable()
    try:
        engine.load(str(path))
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_derived_numbers():
    found = derived({"ns": [4, 1, 3, 2], "units": 20})
    assert found["units_per_second"] == 20 * 10**9 // 10
    assert [found[name] for name in ("samples", "min", "p50", "p90", "max", "total_ns")] == [
        4,
        1,
        2,
        4,
        4,
        10,
    ]
