"""What a run measures on the way: clauses, and how long the calls took."""

from __future__ import annotations

import pytest

from tokassay import data, engines
from tokassay.checks import suites
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import Vector, read_vectors
from tokassay.verdicts.driver import Plan, Target, run
from tokassay.verdicts.events import Event, Measured, from_json, to_json
from tokassay.verdicts.measures import Measures, bounds, bucket

GOLDEN = data.root() / "golden"
PATH = str(GOLDEN / "tokenizers" / "word-level-lowercase" / "tokenizer.json")
NAME = "word-level-lowercase"
DURATIONS = [*range(100), 255, 256, 1000, 12_345, 10**6, 10**9 - 1, 10**9, 3 * 10**12]


@pytest.mark.parametrize("duration", DURATIONS)
def test_a_bucket_holds_its_duration_and_is_no_wider_than_an_eighth(duration: int):
    lower, upper = bounds(bucket(duration))
    assert lower <= duration < upper
    assert upper - lower <= max(1, lower / 8)


def test_buckets_follow_each_other_without_gaps():
    assert all(bounds(index)[1] == bounds(index + 1)[0] for index in range(400))


def vectors() -> list[Vector]:
    rows = read_vectors(GOLDEN / "vectors" / "encode" / "digits.jsonl")
    return [narrowed(row, NAME) for row in rows if NAME in row.expect]


def measured(engine: str) -> tuple[Measured, list[Event]]:
    plan = Plan("1", [engines.open(engine)], [Target(NAME, PATH, vectors())], [suites()["encode"]])
    events = list(run(plan))
    (found,) = [event for event in events if isinstance(event, Measured)]
    return found, events


def test_clauses_are_counted_as_concerned_tried_failed():
    found, _ = measured("fake:wrong")
    wanted: dict[str, int] = {}
    for vector in vectors():
        for clause in vector.clauses:
            wanted[clause] = wanted.get(clause, 0) + 1
    assert found.clauses == {name: (count,) * 3 for name, count in sorted(wanted.items())}
    assert wanted


def test_a_clause_whose_checks_pass_has_no_failures():
    found, _ = measured("reference")
    assert {counts[2] for counts in found.clauses.values()} == {0}


def test_every_call_that_answers_is_in_one_bucket():
    found, events = measured("fake:crashes")
    crashed = sum(getattr(event, "kind", "") == "crash" for event in events)
    assert crashed == 1
    assert sum(found.calls["encode"].values()) == len(vectors()) - crashed


def test_an_engine_in_a_child_tells_itself_how_long_it_took():
    found, _ = measured("child:reference")
    assert sum(found.calls["encode"].values()) >= len(vectors())
    assert found.clauses


class Silent:
    """A session that is asked ahead and tells no durations."""

    info = path = None

    def expect(self, calls: object) -> None: ...

    def encode(self, text: str) -> str:
        return text


def test_an_engine_that_is_asked_ahead_and_tells_nothing_is_not_timed():
    measures = Measures()
    session = measures.timed(Silent())
    session.encode("a")
    assert measures.event("silent", "gpt2") is None


def test_measures_survive_the_file():
    found, _ = measured("reference")
    assert from_json(to_json(found)) == found
