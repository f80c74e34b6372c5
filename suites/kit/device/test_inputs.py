"""What timed calls are given: never the same thing twice, and the transcript where there is no other way."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, List

import pytest

from tokassay import data
from tokassay.checks.engine import FaultError
from tokassay.checks.stored import catalogue
from tokassay.device import cold
from tokassay.device.cores import Core, differing
from tokassay.device.inputs import Texts, history
from tokassay.device.reference import reference
from tokassay.device.request import Request, Timing
from tokassay.device.timing import Bench, Kept
from tokassay.verdicts.driver import Target

TIMING = Timing(samples=3, seconds=0.0, warmup=1, cold=2)
REQUEST = Request("r1", "n1", "2026-01-01T00:00:00Z", "0" * 64, "0.1.0")


def test_no_two_texts_are_equal_and_all_are_of_one_length():
    texts = Texts("one two three ", 40)
    made = [texts(number) for number in range(-40, 3000)]
    assert len(set(made)) == len(made)
    assert {len(text) for text in made} == {40}


def test_a_history_keeps_its_matches_under_other_ids():
    calls = [{"extend": [1, 2, 1], "role": "prompt"}, {"draft": True}]
    first, second = history(calls, 0), history(calls, 1)
    assert first == [{"extend": [1001, 1002, 1001], "role": "prompt"}, {"draft": True}]
    assert second[0]["extend"] == [1002, 1003, 1002]
    assert calls[0]["extend"] == [1, 2, 1]


@dataclass
class Particular:
    """A session of the reference that refuses texts that begin with a number, or none; it may be closed."""

    inner: Any
    info: Any
    refuses: bool
    texts: List[str]

    def load(self, path: str) -> Particular:
        return replace(self, inner=reference().load(path))

    def encode(self, text: str, **options: Any) -> Any:
        self.texts.append(text)
        if self.refuses and text.lstrip("-")[:1].isdigit():
            raise FaultError("no digits")
        return self.inner.encode(text, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def close(self) -> None:
        self.texts.append("closed")


def target() -> Target:
    path = data.root() / "golden/tokenizers/gpt2/tokenizer.json"
    vectors = catalogue(data.root() / "golden/vectors/encode/emoji.jsonl", {}, lambda _: True)
    return Target("gpt2", str(path), vectors.of("gpt2"))


def measured(engine: Particular, start: Any = None) -> Any:
    bench = Bench(REQUEST, TIMING, 1, Core("", None), ())
    asked = (engine, target(), start or (lambda: engine))
    return {one.operation: one for one in chain(bench.starts(*asked), bench.series(*asked))}  # type: ignore[arg-type]


def test_each_sample_has_a_text_of_its_own():
    engine = Particular(None, reference().info, False, [])
    found = measured(engine)
    assert {found[name].inputs for name in ("encode-short", "encode-long", "decode")} == {"different"}
    numbered = [text for text in engine.texts if text.lstrip("-")[:1].isdigit()]
    assert len(numbered) == 2 * TIMING.samples + 3 * TIMING.warmup  # decode's ids are those of the long ones
    assert len({text for text in numbered if len(text) == 40}) == TIMING.samples + TIMING.warmup


def test_what_is_decoded_was_encoded_before_or_is_now():
    session = reference().load(str(target().path))
    kept = Kept(session, str)
    answer = session.encode(kept.text(12))
    assert kept.keep(answer) == len(answer.ids)
    kept.keep(session.encode("an answer to the same text each time has no number"))
    assert kept.ids.keys() == {12}
    assert [kept.again(number) for number in (12, 13)] == [session.encode(text).ids for text in ("12", "13")]


def test_an_engine_that_refuses_them_gets_the_same_text_and_that_is_told():
    told = io.StringIO()
    with contextlib.redirect_stderr(told):
        found = measured(Particular(None, reference().info, True, []))
    assert {found[name].inputs for name in ("encode-short", "encode-long", "decode")} == {"same"}
    assert "the same input each time: reference / gpt2 / encode-long: no digits" in told.getvalue()


def test_every_cold_start_has_an_engine_of_its_own_that_is_ended():
    started: List[Particular] = []

    def start() -> Particular:
        started.append(Particular(None, reference().info, False, []))
        return started[-1]

    found = measured(Particular(None, reference().info, False, []), start)
    names = ["start", "cold-tokenizer.json", "cold-mtok", "cold-vocab.bin"]
    assert [(found[name].inputs, len(found[name].ns)) for name in names] == [("fresh", 2)] * 4
    assert len(started) == 8
    assert all(one.texts[-1] == "closed" for one in started)
    assert found["cold-tokenizer.json"].digest == found["encode-short"].digest


def test_cold_starts_are_of_those_that_are_named():
    engine = Particular(None, reference().info, False, [])
    bench = Bench(replace(REQUEST, cold_starts=("t5",)), TIMING, 1, Core("", None), ())
    told = {one.operation for one in bench.series(engine, target(), lambda: engine)}  # type: ignore[arg-type]
    assert told == {"load", "encode-short", "encode-long", "decode"}


@pytest.mark.parametrize(
    ("own", "expected"), [("reference", "py:tokassay.device.alone:load"), ("hf", "child:hf")]
)
def test_an_engine_in_this_process_starts_in_one_of_its_own(own: str, expected: str):
    assert cold.address(reference(), own) == expected
    assert cold.address(Particular(None, None, False, []), "exec:./e") == "exec:./e"


def test_cores_differ_where_ids_differ_or_are_missing():
    first = {"ids": {"e": {"a": "1", "b": "2"}}}
    assert differing([first, first]) == []
    assert differing([]) == []
    found = differing([first, {"ids": {"e": {"a": "3"}}}])
    assert found == [
        ("ids[1].ids.e.a", "is not the same on every core"),
        ("ids[1].ids.e.b", "is missing on this core"),
    ]
