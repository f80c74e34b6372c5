"""The driver on engines that fail on purpose: each gives its own verdict, reason and exit code."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

import pytest

from tokassay.checks import suites
from tokassay.checks.engine import (
    CAPABILITIES,
    Answer,
    CrashError,
    EngineInfo,
    FaultError,
    RefusalError,
    TimeLimitError,
    UnavailableError,
)
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import INLINE, Vector, parse_row
from tokassay.verdicts.driver import Plan, Target, run
from tokassay.verdicts.events import Broken, EngineDown, Event, Footer, Header, NotRun, Verdict

Fault = Callable[[int, Answer], Answer]
TEXTS = ["a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"]


def row(number: int, text: str, **more: object):
    ids = [ord(char) for char in text]
    full = {
        "id": f"letters/{number}",
        "op": "encode",
        "kind": "letters",
        "level": "must",
        "clauses": ["model.letters"],
        "source": {"kind": "hand", "ref": ""},
        "oracle": {"name": "tokenizers", "version": "0.23.3"},
        "text": text,
        "expect": {"letters": {"sha256": "0", "ids": ids, "offsets": [[i, i + 1] for i in range(len(ids))]}},
        "hash": "0",
    }
    return {**full, **more}


VECTORS = [narrowed(parse_row(row(i, text), "row"), "letters") for i, text in enumerate(TEXTS)]


class Letters:
    """An engine whose ids are code points: right on every vector above."""

    def __init__(
        self,
        fault: Optional[Fault] = None,
        claims: Sequence[str] = ("encode", "decode", "offsets"),
        at_load: Optional[Exception] = None,
    ) -> None:
        self.info = EngineInfo("letters", "1", frozenset(claims))
        self.path, self.fault, self.at_load, self.calls = "", fault, at_load, itertools.count(1)

    def load(self, _: str):
        if self.at_load is not None:
            raise self.at_load
        return self

    def encode(self, text: str):
        ids = [ord(char) for char in text]
        right = Answer(ids, offsets=[(i, i + 1) for i in range(len(ids))])
        return right if self.fault is None else self.fault(next(self.calls), right)

    def decode(self, ids: Sequence[int]):
        return "".join(map(chr, ids))


def on_call(number: int, error: BaseException) -> Fault:
    def fault(call: int, right: Answer) -> Answer:
        if call == number:
            raise error
        return right

    return fault


def ran(
    engine: Letters,
    names: Sequence[str] = ("encode",),
    vectors: Sequence[Vector] = VECTORS,
    **target: Any,
):
    chosen = [suite for name, suite in suites().items() if name in names]
    where = Target(**{"name": "letters", "path": "letters.json", "vectors": vectors, **target})
    return list(run(Plan("1", [engine], [where], chosen)))


def kinds(events: Sequence[Event]):
    return [event.kind for event in events if isinstance(event, Verdict)]


def footer(events: Sequence[Event]):
    assert isinstance(events[0], Header)
    assert isinstance(events[-1], Footer)
    return events[-1]


def test_a_right_engine_passes_everything():
    events = ran(Letters(), names=("encode", "decode", "offsets", "determinism"))
    assert set(kinds(events)) == {"pass"}
    assert footer(events).counts == {"pass": 4 * len(TEXTS)}
    assert footer(events).exit_code == 0


def test_an_always_wrong_engine_diverges_everywhere():
    events = ran(Letters(lambda _, right: Answer([i + 1 for i in right.ids])))
    assert kinds(events) == ["diverge"] * len(TEXTS)
    first = events[1]
    assert (first.difference.what, first.difference.expected, first.difference.got) == ("ids", [97], [98])
    assert (first.text, first.clauses) == ('"a"', ("model.letters",))
    assert footer(events).exit_code == 1


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (CrashError("signal 11"), "crash"),
        (TimeLimitError("5 s"), "timeout"),
        (FaultError("bad"), "error"),
        (ValueError("bad"), "error"),
        (MemoryError(), "error"),
    ],
)
def test_a_failure_on_the_seventh_call_costs_one_case(error: Exception, kind: str):
    events = ran(Letters(on_call(7, error)))
    assert kinds(events) == ["pass"] * 6 + [kind, "pass"]
    assert footer(events).exit_code == 1


def test_a_panic_that_is_no_exception_is_a_crash():
    class PanicException(BaseException):  # what a Rust engine raises derives from BaseException
        pass

    events = ran(Letters(on_call(1, PanicException("index out of bounds"))))
    assert kinds(events)[:2] == ["crash", "pass"]
    assert events[1].reason == "PanicException: index out of bounds"


def test_ctrl_c_is_not_a_verdict():
    with pytest.raises(KeyboardInterrupt):
        ran(Letters(on_call(1, KeyboardInterrupt())))


def test_an_engine_that_wavers_is_caught_by_the_determinism_suite():
    engine = Letters(lambda call, right: Answer([*right.ids, call % 2]))
    events = ran(engine, names=("determinism",))
    assert set(kinds(events)) == {"diverge"}
    assert events[1].difference.what == "ids when asked again"


def test_what_is_not_claimed_is_unsupported_with_the_reason():
    events = ran(Letters(claims=("encode", "decode")), names=("offsets",))
    assert set(kinds(events)) == {"unsupported"}
    assert events[1].reason == f"does not claim offsets ({CAPABILITIES['offsets']})"


def test_nothing_but_unsupported_is_not_success():
    assert footer(ran(Letters(claims=("encode", "decode")), names=("offsets",))).exit_code == 4


def test_what_is_claimed_and_refused_is_an_error():
    def fault(_: int, __: Answer) -> Answer:
        raise RefusalError("no offsets here")

    events = ran(Letters(fault), names=("offsets",))
    assert set(kinds(events)) == {"error"}
    assert events[1].reason == "claims offsets but refuses: no offsets here"


def test_what_is_claimed_and_absent_is_an_error():
    class Bare:
        ids = (97,)

    events = ran(Letters(lambda *_: Bare()), names=("offsets",))
    assert kinds(events)[0] == "error"
    assert "'offsets'" in events[1].reason


def test_a_file_that_the_engine_refuses_is_unsupported():
    events = ran(Letters(at_load=RefusalError("no Unigram")))
    assert set(kinds(events)) == {"unsupported"}
    assert events[1].reason == "cannot load the tokenizer: no Unigram"


def test_a_file_that_crashes_the_engine_is_a_crash_in_every_case():
    events = ran(Letters(at_load=CrashError("abort")))
    assert kinds(events) == ["crash"] * len(TEXTS)


def test_an_engine_that_goes_down_leaves_the_rest_not_run():
    events = ran(Letters(on_call(3, UnavailableError("restarts are used up"))), names=("encode", "offsets"))
    assert kinds(events) == ["pass", "pass"]
    down = [event for event in events if isinstance(event, EngineDown)]
    assert [event.reason for event in down] == ["restarts are used up"]
    left = [(event.suite, event.count) for event in events if isinstance(event, NotRun)]
    assert left == [("encode", 6), ("offsets", 8)]
    assert footer(events).counts == {"pass": 2, "not-run": 14}
    assert footer(events).exit_code == 3


def test_an_engine_that_never_starts_is_exit_code_3_and_everything_is_counted():
    events = ran(Letters(at_load=UnavailableError("no such program")))
    assert footer(events).counts == {"not-run": len(TEXTS)}
    assert footer(events).exit_code == 3


def test_a_tokenizer_that_is_not_here_is_counted_as_not_run():
    events = ran(Letters(), path=None, reason="not fetched")
    assert [(e.count, e.reason) for e in events if isinstance(e, NotRun)] == [(len(TEXTS), "not fetched")]
    assert footer(events).exit_code == 4


def test_a_check_that_fails_by_itself_is_the_suites_fault():
    def check(*_: object) -> Verdict:
        raise KeyError("ids")

    broken = replace(suites()["encode"], check=check)
    target = Target("letters", "letters.json", VECTORS)
    events = list(run(Plan("1", [Letters()], [target], [broken, suites()["decode"]])))
    assert sum(isinstance(event, Broken) for event in events) == len(TEXTS)
    assert kinds(events) == ["pass"] * len(TEXTS)
    assert footer(events).exit_code == 4


def test_the_diagnosis_is_asked_for_divergences_only():
    asked = []

    def diagnose(_: object, vector: Vector, verdict: Verdict) -> Verdict:
        asked.append(vector.id)
        return replace(verdict, stage="model")

    engine = Letters(lambda call, right: Answer([0]) if call == 2 else right)
    plan = Plan("1", [engine], [Target("letters", "x", VECTORS)], [suites()["encode"]], diagnose=diagnose)
    stages = [event.stage for event in run(plan) if isinstance(event, Verdict)]
    assert asked == ["letters/1"]
    assert stages[:3] == ["", "model", ""]


def expecting_error(name: str):
    return [narrowed(parse_row(row(0, "a", expect={"letters": {"error": name}}), "row"), "letters")]


def test_an_error_of_the_oracle_is_expected_of_the_engine():
    vectors = expecting_error("Exception")
    assert kinds(ran(Letters(on_call(1, FaultError("no unk"))), vectors=vectors)) == ["pass"]
    answered = ran(Letters(), vectors=vectors)
    assert kinds(answered) == ["diverge"]
    assert answered[1].difference.got == "an answer"


def test_a_crash_is_accepted_only_where_the_oracle_panics_itself():
    crash = on_call(1, CrashError("panic"))
    assert kinds(ran(Letters(crash), vectors=expecting_error("Exception"))) == ["crash"]
    assert kinds(ran(Letters(crash), vectors=expecting_error("PanicException"))) == ["pass"]


def test_a_vector_with_its_own_tokenizer_is_loaded_from_a_file():
    seen = []

    class Reader(Letters):
        def load(self, path: str) -> Reader:
            seen.append(Path(path).read_text("utf-8"))
            return self

    made = row(0, "a", tokenizer={"model": 1}, expect={INLINE: {"ids": [97]}})
    vectors = [narrowed(parse_row(made, "row"), INLINE)]
    assert kinds(ran(Reader(), vectors=vectors, name=INLINE, path=None)) == ["pass"]
    assert seen == ['{"model":1}']
