"""serve.mjs: an engine in JavaScript behind the wire, every operation, byte-exact, one case per crash."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from tokassay import engines
from tokassay.checks.engine import CrashError, FaultError, RefusalError
from tokassay.engines._node import PROGRAMS
from tokassay.engines.wire import Limits

HERE = Path(__file__).parent / "node"
TEXTS = [
    "",
    "a",
    "\0",
    "a\nb\r\n",
    "\u2028\u2029",
    "\U0001f600",
    "\ud800",
    "x\udfffy",
    '"\\',
    "\ufeffa",
    "\x7f\x80",
]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """``started(program)``: an engine of the folder node, beside a copy of the SDK."""
    found = []

    def start(program: str = "engine.mjs") -> Any:
        shutil.copy(PROGRAMS / "serve.mjs", tmp_path)
        shutil.copy(HERE / program, tmp_path)
        found.append(engines.open(f"exec:node '{tmp_path / program}'", Limits(validate=True)))
        return found[-1]

    yield start
    for engine in found:
        engine.close()


@pytest.fixture
def session(started: Callable[..., Any]) -> Any:
    return started().load("any.json")


def units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_every_text_arrives_and_comes_back_exactly(session: Any, text: str):
    encoded = session.encode(text)
    assert list(encoded.ids) == units(text)
    assert session.decode(encoded.ids) == text


def test_many_texts_keep_their_order(session: Any):
    texts = [str(number) * 50 for number in range(600)]
    assert [list(one.ids) for one in session.encode_many(texts)] == [units(text) for text in texts]


def test_the_optional_operations(session: Any):
    assert list(session.encode("a", "b").ids) == [97, 98]
    assert session.encode("ab").tokens == ["a", "b"]
    assert list(session.encode_bytes(b"\xff\0").ids) == [255, 0]
    assert session.decode_bytes([255, 10]) == b"\xff\n"
    assert session.decode([255]) == b"\xff".decode("utf-8", "surrogateescape")
    assert session.stages("ab").pieces == ["a", "b"]
    assert (session.vocab_size(), session.vocab_size(with_added_tokens=False)) == (65536, 0)
    assert (session.id_to_token(97), session.id_to_token(70000)) == ("a", None)


def test_a_stream(session: Any):
    stream = session.stream()
    assert [stream.step(97), stream.step(98), stream.step(99), stream.flush()] == [None, "ab", None, "c"]


def test_what_an_engine_throws_is_told(session: Any):
    with pytest.raises(FaultError, match="RangeError: not today"):
        session.encode("throw")
    with pytest.raises(RefusalError, match="no such text"):
        session.encode("refuse")


def test_an_abort_costs_one_case(session: Any):
    outcomes = list(session.encode_many(["a", "die", "b"]))
    assert isinstance(outcomes[1], CrashError)
    assert "SIGABRT" in outcomes[1].reason
    assert [list(outcomes[0].ids), list(outcomes[2].ids)] == [[97], [98]]


def test_it_says_who_it_is(started: Callable[..., Any]):
    info = started().info
    assert (info.name, info.version, info.invalid_utf8) == ("units", "1.0", "replace")
    assert len(info.build["sha256"]) == 64
    assert info.build["node"].startswith("v")
