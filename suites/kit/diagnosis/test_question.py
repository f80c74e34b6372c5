"""The question behind a verdict, for every kind of vector; and causes that the two answers alone show."""

from __future__ import annotations

from typing import Any, Optional

import pytest

from tokassay import data, engines
from tokassay.checks.judging import narrowed
from tokassay.checks.vector import Vector, parse_row
from tokassay.checks.verdict import Difference, Verdict
from tokassay.diagnosis.explaining import shape
from tokassay.diagnosis.question import Question, behind, completed

PATH = str(data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")
GPT2 = engines.open("reference").load(PATH)


def vector(op: str, answer: Any, **given: object) -> Vector:
    row = {
        "id": "made/up",
        "op": op,
        "kind": "made",
        "level": "must",
        "clauses": [],
        "source": {"kind": "hand", "ref": ""},
        "oracle": {"name": "tokenizers", "version": "0.23.3"},
        "expect": {"gpt2": answer},
        "hash": "0",
        **given,
    }
    return narrowed(parse_row(row, "row"), "gpt2")


def asked(suite: str, what: str, made: Vector) -> Optional[Question]:
    return behind(Verdict("diverge", suite, "e", "gpt2", "made/up", "", Difference(what, [1], [2])), made)


ENCODE = {"ids": [1], "tokens": ["a"], "special_ids": [2, 1]}
SKIPPED = {"ids": [3], "skip_special_tokens": True}
CASES = [
    ("encode", "ids", vector("encode", ENCODE, text="a"), Question("ids", "a")),
    (
        "encode",
        "ids with special tokens",
        vector("encode", ENCODE, text="a"),
        Question("ids", "a", special=True),
    ),
    ("encode", "ids", vector("encode", ENCODE, text="a", pair="b"), Question("ids", "a", "b")),
    ("encode", "overflowing ids", vector("encode", ENCODE, text="a"), None),
    ("encode", "ids", vector("encode", ENCODE, bytes_hex="ff"), Question("ids", "\ufffd", data=b"\xff")),
    ("offsets", "sha256 of the offsets", vector("encode", ENCODE, text="a"), Question("offsets", "a")),
    ("decode", "text", vector("encode", ENCODE, text="a"), Question("text", ids=(1,))),
    (
        "decode",
        "text without special tokens",
        vector("encode", ENCODE, text="a"),
        Question("text", ids=(2, 1), special=True),
    ),
    ("decode", "text", vector("decode", {"text": ""}, **SKIPPED), Question("text", ids=(3,), special=True)),
    ("stream", "text", vector("stream", {"full": ""}, **SKIPPED), Question("stream", ids=(3,), special=True)),
    ("decode", "item 7 (ids [7, 8])", vector("sweep", {}, sweep="decode"), Question("text", ids=(7, 8))),
    ("encode", "item 7 (ids [7, 8])", vector("sweep", {}, sweep="pairs"), Question("ids", ids=(7, 8))),
    ("encode", "sha256 of block 0", vector("sweep", {}, sweep="pairs"), None),
    ("decode", "sha256 of the text", vector("long", {}, recipe={"name": "x", "seed": 1, "bytes": 1}), None),
    ("format", "ids", vector("load", {}, tokenizer={}, probe="a"), Question("ids", "a")),
    ("format", "vocab_size", vector("load", {}, tokenizer={}, probe="a"), None),
    ("determinism", "ids when asked again", vector("encode", ENCODE, text="a"), None),
    ("encode", "outcome", vector("encode", {"error": "Exception"}, text="a"), None),
]


@pytest.mark.parametrize(("suite", "what", "made", "question"), CASES)
def test_every_verdict_has_its_question(suite: str, what: str, made: Vector, question: Optional[Question]):
    assert asked(suite, what, made) == question


def test_a_question_is_asked_as_the_engine_can_answer_it():
    ids = GPT2.encode("a b", add_special_tokens=False).ids
    assert Question("ids", "a b").ask(GPT2) == ids
    assert Question("ids", "a", " b").ask(GPT2) == ids
    assert Question("text", ids=tuple(ids)).ask(GPT2) == "a b"
    assert Question("stream", ids=tuple(ids)).ask(GPT2) == "a b"
    assert Question("ids", "\ufffd", data=b"\xff").ask(GPT2) == Question("ids", "\ufffd").ask(GPT2)


def test_a_swept_text_is_spelled_by_the_witness():
    ids = tuple(GPT2.encode("ab", add_special_tokens=False).ids)
    assert completed(Question("ids", ids=ids), GPT2) == Question("ids", "ab")
    assert completed(Question("text", ids=ids), GPT2) == Question("text", ids=ids)


@pytest.mark.parametrize(
    ("expected", "got", "line"),
    [
        ([1, 2], [], "the answer is empty"),
        ("a", "", "the answer is empty"),
        ("a", "b", ""),
        ([1, 2], [3, 4], "every id is 2 too large"),
        ([3, 4], [1, 2], "every id is 2 too small"),
        ([1, 2], [1, 2, 1, 2], "the answer stands there twice"),
        ([1, 2, 3], [1, 2], "the answer ends too early"),
        ([1, 2, 4], [4, 2, 1], "ids are in reverse"),
        ([1, 2], [1, 5], ""),
    ],
)
def test_some_causes_show_in_the_answers_alone(expected: Any, got: Any, line: str):
    assert shape(expected, got) == line
