"""Many requests in flight: whatever happens costs exactly the case that caused it."""

from __future__ import annotations

from typing import Callable

import pytest

from tokassay.checks.calls import Call
from tokassay.checks.engine import (
    CrashError,
    EngineError,
    FaultError,
    RefusalError,
    TimeLimitError,
    UnavailableError,
)
from tokassay.engines.wire import WireEngine, WireSession


def outcomes(session: WireSession, texts: list[str]):
    """The kind of each outcome, "right" for the right ids."""
    found = []
    for text, outcome in zip(texts, session.encode_many(texts), strict=True):
        if isinstance(outcome, EngineError):
            found.append(type(outcome))
        else:
            found.append("right" if list(outcome.ids) == list(text.encode()) else "wrong")
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("crash", CrashError),
        ("hang", TimeLimitError),
        ("panic", CrashError),
        ("refuse", RefusalError),
        ("garbage", FaultError),
    ],
)
@pytest.mark.parametrize("window", [1, 4, 256])
def test_exactly_the_guilty_case_is_blamed(
    fake: Callable[..., WireEngine], text: str, kind: type, window: int
):
    session = fake("moody", seconds=0.5, window=window).load("t.json")
    texts = [f"before {i}" for i in range(9)] + [text] + [f"after {i}" for i in range(9)]
    assert outcomes(session, texts) == ["right"] * 9 + [kind] + ["right"] * 9


def test_every_guilty_case_is_blamed(fake: Callable[..., WireEngine]):
    session = fake("moody").load("t.json")
    texts = ["a", "crash", "b", "crash", "crash", "c", "garbage", "d"]
    expected = ["right", CrashError, "right", CrashError, CrashError, "right", FaultError, "right"]
    assert outcomes(session, texts) == expected


def test_a_crash_that_depends_on_what_came_before_is_told_once(fake: Callable[..., WireEngine]):
    session = fake("moody").load("t.json")
    found = list(session.encode_many(["a", "remember", "b", "c"]))
    failed = [outcome for outcome in found if isinstance(outcome, EngineError)]
    assert len(failed) == 1
    assert failed[0].reason.startswith("killed by SIGABRT; stderr: fatal: b")


def test_a_crash_that_does_not_come_again_is_told_all_the_same(fake: Callable[..., WireEngine]):
    session = fake("crashes_on_the_seventh").load("t.json")
    texts = [f"text {i}" for i in range(9)]
    found = list(session.encode_many(texts))
    failed = [outcome for outcome in found if isinstance(outcome, EngineError)]
    assert len(failed) == 1
    assert isinstance(failed[0], CrashError)


def test_a_crash_with_the_oldest_to_blame_says_so(fake: Callable[..., WireEngine]):
    session = fake("moody", window=2).load("t.json")
    assert session.encode("remember").ids == list(b"remember")
    found = list(session.encode_many(["a", "b"]))
    assert "depends on what came before" in found[0].reason
    assert found[1].ids == [98]


def test_replies_in_any_order_find_their_requests(fake: Callable[..., WireEngine]):
    session = fake("answers_out_of_order", validate=True).load("t.json")
    assert outcomes(session, [f"text {i}" for i in range(600)]) == ["right"] * 600


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no ids", "ids is missing, where a list belongs"),
        ("ids are words", 'ids[0] is "a", which does not belong there'),
        ("half an id", "ids[0] is 1.5, which does not belong there"),
        ("true is no id", "ids[0] is true, which does not belong there"),
        ("null", "ids is null, where a list belongs"),
    ],
)
def test_a_wrong_field_is_named(fake: Callable[..., WireEngine], text: str, reason: str):
    session = fake("wrong_replies").load("t.json")
    with pytest.raises(FaultError) as caught:
        session.encode(text)
    assert caught.value.reason == f"its reply to encode is wrong: {reason}"
    assert session.encode("right").ids == [1]


def test_a_schema_names_what_nobody_reads(fake: Callable[..., WireEngine]):
    assert fake("wrong_replies").load("t.json").encode("extra").ids == [1]
    session = fake("wrong_replies", validate=True).load("t.json")
    with pytest.raises(FaultError, match=r"'idz' was unexpected.*schema encode\.json"):
        session.encode("extra")


@pytest.mark.parametrize("text", ["another id", "twice"])
def test_an_answer_that_nobody_asked_for_ends_the_process(fake: Callable[..., WireEngine], text: str):
    session = fake("wrong_replies").load("t.json")
    found = [
        outcome.reason if isinstance(outcome, EngineError) else "right"
        for outcome in session.encode_many(["x", text, "y"])
    ]
    assert [entry == "right" for entry in found].count(False) == 1
    (reason,) = set(found) - {"right"}
    assert "which is not waiting for an answer" in reason


def test_restarts_are_bounded(fake: Callable[..., WireEngine]):
    session = fake("moody", restarts=3).load("t.json")
    for _ in range(4):
        with pytest.raises(CrashError):
            session.encode("crash")
    with pytest.raises(UnavailableError, match=r"used up its 3 restarts; the last time: killed by SIGABRT"):
        session.encode("fine")


def test_restarts_are_bounded_with_many_in_flight(fake: Callable[..., WireEngine]):
    session = fake("moody", restarts=3).load("t.json")
    answers = session.encode_many(["crash"] * 20)
    assert [type(next(answers)) for _ in range(3)] == [CrashError] * 3
    with pytest.raises(UnavailableError, match="used up its 3 restarts"):
        next(answers)


def test_a_file_that_cannot_be_loaded_leaves_the_engine_alive(fake: Callable[..., WireEngine]):
    engine = fake("moody")
    good = engine.load("t.json")
    with pytest.raises(CrashError, match=r"killed by SIGABRT \(while it loaded crash\.json\)"):
        engine.load("crash.json")
    with pytest.raises(RefusalError, match="this format"):
        engine.load("refuse.json")
    assert good.encode("a").ids == [97]


def test_more_sessions_than_handles_take_turns(fake: Callable[..., WireEngine]):
    engine = fake("right")
    sessions = [engine.load(f"{i}.json") for i in range(9)]
    for _ in range(2):
        assert [session.encode("a").ids for session in sessions] == [[97]] * 9


def test_what_is_expected_may_be_asked_in_part_or_not_at_all(fake: Callable[..., WireEngine]):
    session = fake("right", window=4).load("t.json")
    session.expect([*(Call("encode", f"text {i}") for i in range(20)), Call("decode", [97])])
    for i in (0, 1, 5, 2, 19):
        assert session.encode(f"text {i}").ids == list(f"text {i}".encode())
    assert session.decode([97]) == "a"
    session.expect([])
    assert session.encode("text 7").ids == list(b"text 7")


def test_a_crash_in_what_was_announced_and_never_asked_falls_on_nobody(fake: Callable[..., WireEngine]):
    session = fake("moody", window=4).load("t.json")
    session.expect([Call("encode", text) for text in ("a", "crash", "b", "c")])
    assert [list(session.encode(text).ids) for text in "abc"] == [[97], [98], [99]]
