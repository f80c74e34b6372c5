"""What the determinism suite catches: each way of asking again, and the digest of all ids."""

from __future__ import annotations

import threading
import zlib
from dataclasses import replace
from typing import Any, Callable, List, Optional, Sequence

import pytest

from tokassay import engines
from tokassay.checks import determinism, suites
from tokassay.checks.engine import Answer, EngineInfo, FaultError, RefusalError
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import Vector, parse_row
from tokassay.engines.twins import opener
from tokassay.verdicts.driver import Plan, Target, run
from tokassay.verdicts.events import Event, Footer, Verdict

TEXTS = ["a", "ab", "abc", "abcd"]


def vector(number: int, text: str) -> Vector:
    row = {
        "id": f"letters/{number}",
        "op": "encode",
        "kind": "letters",
        "level": "must",
        "clauses": ["model.letters"],
        "source": {"kind": "hand", "ref": ""},
        "oracle": {"name": "tokenizers", "version": "0.23.3"},
        "text": text,
        "expect": {"letters": {"sha256": "0", "ids": []}},
        "hash": "0",
    }
    return narrowed(parse_row(row, "row"), "letters")


VECTORS = [vector(number, text) for number, text in enumerate(TEXTS)]


class Letters:
    """Ids are code points; `change` sees the texts asked so far, this one the last."""

    def __init__(
        self, change: Optional[Callable[[List[str], List[int]], List[int]]] = None, **build: str
    ) -> None:
        self.info = EngineInfo("letters", "1", frozenset({"encode", "decode"}), build=build)
        self.path, self.change, self.asked = "letters.json", change, []

    def load(self, _: str) -> Letters:
        return self

    def encode(self, text: str) -> Answer:
        self.asked.append(text)
        ids = [ord(char) for char in text]
        return Answer(self.change(self.asked, ids) if self.change else ids)


def first_difference(engine: Any) -> str:
    for one in VECTORS:
        found = determinism.check(engine, one)
        if found.difference:
            return found.difference.what
    return "none"


def in_another_thread(_: Sequence[str], ids: List[int]) -> List[int]:
    return ids if threading.current_thread() is threading.main_thread() else [0]


def one_at_a_time() -> Callable[[Sequence[str], List[int]], List[int]]:
    meeting = threading.Barrier(2)

    def change(_: Sequence[str], ids: List[int]) -> List[int]:
        if threading.current_thread() is threading.main_thread():
            return ids
        try:
            meeting.wait(0.2)
        except threading.BrokenBarrierError:
            meeting.reset()
            return ids
        return [0]

    return change


CHANGES = {
    "none": None,
    "ids when asked again": lambda asked, ids: [len(asked), *ids],
    "ids after another text": lambda asked, ids: [0] if determinism.OTHER in asked else ids,
    "ids from another thread": in_another_thread,
    "ids of letters/0 in another order": lambda asked, ids: (
        [0] if "ab" in asked and asked[-1] == "a" else ids
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_each_way_of_asking_again_is_told_apart(what: str):
    assert first_difference(Letters(CHANGES[what])) == what


def test_threads_at_once_are_tried_where_the_engine_says_that_this_is_safe():
    assert first_difference(Letters(one_at_a_time())) == "none"
    assert first_difference(Letters(one_at_a_time(), threads="safe")) == "ids from 4 threads at once"


def ran(engine: Letters, twin: Any = None, vectors: Sequence[Vector] = VECTORS) -> List[Event]:
    plan = Plan("1", [engine], [Target("letters", "letters.json", vectors)], [suites()["determinism"]])
    return list(run(replace(plan, twin=lambda _: twin)))


def ids_of(events: Sequence[Event]) -> Any:
    assert isinstance(events[-1], Footer)
    return events[-1].ids


def test_the_footer_stands_for_all_ids_whatever_their_order():
    whole = ids_of(ran(Letters()))
    assert len(whole["letters"]["letters"]) == 64
    assert ids_of(ran(Letters(), vectors=VECTORS[::-1])) == whole
    assert ids_of(ran(Letters(), vectors=VECTORS[:-1])) != whole
    assert ids_of(ran(Letters(lambda _, ids: [i + 1 for i in ids]))) != whole


def test_another_process_has_to_answer_the_same():
    assert ids_of(ran(Letters(), Letters())) == ids_of(ran(Letters()))
    events = ran(Letters(), Letters(lambda asked, ids: [0] if asked[-1] == "abc" else ids))
    (wrong,) = [event for event in events if isinstance(event, Verdict) and event.kind != "pass"]
    assert (wrong.kind, wrong.vector) == ("diverge", "letters/2")
    assert wrong.difference is not None
    assert wrong.difference.what == "digest of the ids in another process"
    assert events[-1].exit_code == 1


@pytest.mark.parametrize("error", [FaultError("no"), RefusalError("no")])
def test_a_twin_that_cannot_answer_proves_nothing(error: Exception):
    def fails(*_: Any) -> List[int]:
        raise error

    assert ran(Letters(), Letters(fails))[-1].exit_code == 0


def test_engines_are_opened_again_in_a_process_of_their_own():
    reference = engines.open("reference")
    twin = opener({"reference": "reference"}, None)
    opened = twin(reference)
    assert opened is not None
    assert opened.info.name == "reference"
    assert type(opened) is not type(reference)
    assert twin(reference) is opened
    assert opener({}, None)(reference) is None
    assert opener({"reference": "file:x"}, None)(reference) is None
    assert opener({"reference": "exec:/no/such/program"}, None)(reference) is None


class Streaming(Letters):
    """Bytes are ids; a stream lets out characters, and `early` ones before they are whole."""

    def __init__(self, *, early: bool) -> None:
        super().__init__()
        self.info = replace(self.info, capabilities=frozenset({"encode", "decode", "stream"}))
        self.early, self.streams = early, 0

    def encode(self, text: str) -> Answer:
        return Answer(list(text.encode()))

    def stream(self) -> Streaming:
        self.bytes, self.streams = b"", self.streams + 1
        return self

    def step(self, index: int) -> Optional[str]:
        before = self.bytes.decode("utf-8", "ignore")
        self.bytes += bytes([index])
        if self.early and self.streams > 3:
            return "?"
        return self.bytes.decode("utf-8", "ignore")[len(before) :] or None


@pytest.mark.parametrize(("early", "what"), [(False, ""), (True, "steps of a stream cut after 2 of 4 ids")])
def test_a_stream_that_ends_early_says_what_the_whole_one_said(early: bool, what: str):
    (asked,) = [one for n in range(40) if zlib.crc32((one := vector(n, "a\u20ac")).id.encode()) % 4 == 0][:1]
    found = determinism.check(Streaming(early=early), asked)
    assert (found.difference.what if found.difference else "") == what
