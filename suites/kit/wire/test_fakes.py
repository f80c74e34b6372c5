"""Engines with one fault each, through the driver: each has its own verdicts, message and exit code."""

from __future__ import annotations

from collections import Counter
from typing import Callable

import pytest

from tokassay.checks import suites
from tokassay.checks.engine import UnavailableError
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import parse_row
from tokassay.engines.wire import WireEngine
from tokassay.verdicts.driver import Plan, Target, run
from tokassay.verdicts.events import EngineDown, Footer, Verdict

TEXTS = ["a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"]


def vector(number: int, text: str):
    ids = list(text.encode())
    answer = {"sha256": "0", "ids": ids, "offsets": [[i, i + 1] for i in range(len(ids))]}
    row = {
        "id": f"letters/{number}",
        "op": "encode",
        "kind": "letters",
        "level": "must",
        "clauses": [],
        "source": {"kind": "hand", "ref": ""},
        "oracle": {"name": "tokenizers", "version": "0.23.3"},
        "text": text,
        "expect": {"letters": answer},
        "hash": "0",
    }
    return narrowed(parse_row(row, "row"), "letters")


VECTORS = [vector(number, text) for number, text in enumerate(TEXTS)]


class Ran:
    """The events of a run on one engine, sorted out."""

    def __init__(
        self, engine: WireEngine | None, suite: str = "encode", down: dict[str, str] | None = None
    ) -> None:
        target = Target("letters", "letters.json", VECTORS)
        plan = Plan("1", [engine] if engine else [], [target], [suites()[suite]], down=down or {})
        events = list(run(plan))
        self.verdicts = [event for event in events if isinstance(event, Verdict)]
        self.kinds = [verdict.kind for verdict in self.verdicts]
        self.reasons = {verdict.reason for verdict in self.verdicts if verdict.kind != "pass"}
        self.down = [event.reason for event in events if isinstance(event, EngineDown)]
        self.footer = events[-1]
        assert isinstance(self.footer, Footer)
        self.exit_code = self.footer.exit_code


@pytest.mark.parametrize("suite", ["encode", "decode", "determinism"])
def test_a_right_engine_passes_everything(fake: Callable[..., WireEngine], suite: str):
    ran = Ran(fake("right", validate=True), suite)
    assert ran.kinds == ["pass"] * 8
    assert ran.exit_code == 0


def test_an_always_wrong_engine_diverges_everywhere(fake: Callable[..., WireEngine]):
    ran = Ran(fake("always_wrong"))
    assert ran.kinds == ["diverge"] * 8
    assert (ran.verdicts[0].difference.expected, list(ran.verdicts[0].difference.got)) == ([97], [98])
    assert ran.exit_code == 1


def test_an_engine_that_claims_too_much_is_told_what(fake: Callable[..., WireEngine]):
    ran = Ran(fake("claims_too_much"), "offsets")
    assert ran.kinds == ["error"] * 8
    assert ran.reasons == {
        "claims offsets but refuses: NotImplementedError: offsets come with the next release"
    }
    assert ran.exit_code == 1


def test_a_slow_engine_within_its_time_passes(fake: Callable[..., WireEngine]):
    assert Ran(fake("slow", "0.01", seconds=20)).exit_code == 0


def test_an_engine_past_its_time_uses_up_its_restarts(fake: Callable[..., WireEngine]):
    ran = Ran(fake("slow", "20", seconds=0.2, restarts=2))
    assert ran.kinds == ["timeout"] * 2
    assert ran.reasons == {"no answer within 0.2 s"}
    assert len(ran.down) == 1
    assert "used up its 2 restarts; the last time: no answer within 0.2 s" in ran.down[0]
    assert ran.exit_code == 3


def test_a_crash_on_the_seventh_costs_one_case(fake: Callable[..., WireEngine]):
    ran = Ran(fake("crashes_on_the_seventh"))
    assert ran.kinds == ["pass"] * 6 + ["crash", "pass"]
    assert ran.reasons == {"killed by SIGABRT; stderr: assertion failed: seven"}
    assert ran.exit_code == 1


def test_garbage_on_stdout_costs_one_case(fake: Callable[..., WireEngine]):
    ran = Ran(fake("prints_garbage"))
    assert ran.kinds == ["pass"] * 6 + ["error", "pass"]
    assert ran.reasons == {
        'its stdout holds "Loading weights: 100%", which is not a reply; logs belong on stderr'
    }
    assert ran.exit_code == 1


def test_an_engine_that_leaks_is_started_again(fake: Callable[..., WireEngine]):
    ran = Ran(fake("leaks_memory", memory_mb=400))
    counts = Counter(ran.kinds)
    assert counts["crash"] == 1
    assert counts["pass"] == 7
    (reason,) = ran.reasons
    assert "SIGABRT" in reason
    assert "address space limited to 400 MiB" in reason
    assert "out of memory in encode" in reason
    assert ran.exit_code == 1


def test_an_engine_that_wavers_is_caught_by_asking_again(fake: Callable[..., WireEngine]):
    ran = Ran(fake("wavers"), "determinism")
    assert ran.kinds == ["diverge"] * 8
    assert ran.verdicts[0].difference.what == "ids when asked again"
    assert ran.exit_code == 1


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "dies_at_handshake",
            [],
            "did not answer to hello: ended with exit code 1; stderr: no licence found",
        ),
        ("prints_garbage", ["start"], 'did not answer to hello: its stdout holds "Loading weights: 0%"'),
        ("greets_wrongly", ['{"protocol": 2}'], "protocol is 2, this kit speaks 1"),
        ("greets_wrongly", ['{"protocol": 1}'], "engine is missing, where an object belongs"),
        ("greets_wrongly", ['{"error": "not today"}'], "does not answer to hello as it should: not today"),
    ],
)
def test_an_engine_that_does_not_greet_is_down(
    fake: Callable[..., WireEngine], name: str, arguments: list[str], message: str
):
    with pytest.raises(UnavailableError) as caught:
        fake(name, *arguments)
    assert message in caught.value.reason
    assert Ran(None, down={name: caught.value.reason}).exit_code == 3


def test_a_capability_that_does_not_exist_is_named(fake: Callable[..., WireEngine]):
    greeting = (
        '{"protocol": 1, "engine": {"name": "x", "version": "1"}, "capabilities": ["encode", "telepathy"]}'
    )
    with pytest.raises(UnavailableError, match="'telepathy' is none; known: encode, decode"):
        fake("greets_wrongly", greeting)


def test_a_program_that_is_not_there_is_down(opened: Callable[..., WireEngine]):
    with pytest.raises(UnavailableError, match=r"\./no-such-engine: no such program \(is it built"):
        opened("exec:./no-such-engine")
