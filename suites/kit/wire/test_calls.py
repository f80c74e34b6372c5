"""What the checks announce is what they ask."""

from __future__ import annotations

from functools import cache
from typing import Any, Callable

import pytest

from tokassay import data, engines
from tokassay.checks import suites
from tokassay.checks.calls import Call, announce
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import read_vectors
from tokassay.engines.wire import WireEngine

OWN = data.root() / "golden" / "tokenizers"
OPTIONS = ("add_special_tokens", "skip_special_tokens")
TOKENIZERS = ("gpt2", "roberta", "xlm-roberta", "bert-truncated-padded")


class Recording:
    """A session that notes what it is asked."""

    def __init__(self, session: Any) -> None:
        self.session, self.info, self.path = session, session.info, session.path
        self.asked: list[Call] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def asked(argument: Any, pair: str | None = None, **options: bool) -> Any:
            (special,) = options.values()
            assert options.keys() <= set(OPTIONS)
            self.asked.append(Call(name, argument, special, pair))
            pairs = (pair,) if pair is not None else ()
            return getattr(self.session, name)(argument, *pairs, **options)

        return asked


@cache
def some(folder: str):
    """A few hundred vectors of a folder, from all of its files."""
    found = read_vectors(data.root() / "golden" / "vectors" / folder)
    return found[:: 1 + len(found) // 400]


def vectors(tokenizer: str, folder: str):
    return [narrowed(vector, tokenizer) for vector in some(folder) if tokenizer in vector.expect]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize(
    ("suite", "folder"), [("encode", "encode"), ("decode", "encode"), ("decode", "decode")]
)
def test_a_check_asks_what_it_announces(tokenizer: str, suite: str, folder: str):
    session = engines.open("reference").load(str(OWN / tokenizer / "tokenizer.json"))
    checked = suites()[suite]
    count = 0
    for vector in filter(checked.applies, vectors(tokenizer, folder)):
        announced = list(checked.calls(session.info.capabilities, vector))
        recording = Recording(session)
        if announced and checked.check(recording, vector).kind == "pass":
            assert recording.asked == announced
            count += 1
    assert count


def test_nothing_is_announced_that_is_not_claimed():
    least = frozenset({"encode", "decode"})
    for suite in ("encode", "decode"):
        for vector in filter(suites()[suite].applies, vectors("roberta", "encode")):
            for call in suites()[suite].calls(least, vector):
                assert (call.method in least, call.special, call.pair) == (True, True, None)


def test_announcing_changes_no_answer(fake: Callable[..., WireEngine]):
    session = fake("right", window=8).load("t.json")
    texts = [f"text {number % 7}" for number in range(100)]
    announce(session, (Call("encode", text) for text in texts))
    assert [bytes(session.encode(text).ids).decode() for text in texts] == texts
