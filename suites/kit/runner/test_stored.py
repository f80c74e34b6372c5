"""Vectors that stay in their file: the same ones, held or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokassay import data
from tokassay.checks import stored, suites
from tokassay.checks.judging import narrowed
from tokassay.checks.packed import Packed, packed
from tokassay.checks.stored import Catalogue, catalogue, of_suite
from tokassay.checks.vector import Vector, parse_row, read_vectors
from tokassay.core.errors import FormatError

DIGITS = data.root() / "golden" / "vectors" / "encode" / "digits.jsonl"
TESTS = {name: suite.applies for name, suite in suites().items()}


def read(path: Path) -> Catalogue:
    return catalogue(path, TESTS, lambda vector: "digit" in vector.id)


@pytest.fixture(params=["held", "not held", "packed"])
def found(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    if request.param == "not held":
        monkeypatch.setattr(stored, "KEPT", 0)
    if request.param == "packed":
        return catalogue(DIGITS, TESTS, lambda vector: "digit" in vector.id, hold=packed)
    return read(DIGITS)


def wanted(tokenizer: str) -> list[Vector]:
    return [
        narrowed(vector, tokenizer)
        for vector in read_vectors(DIGITS)
        if "digit" in vector.id and tokenizer in vector.expect
    ]


def test_they_are_the_vectors_of_the_file(found: Catalogue):
    assert list(found.every) == [vector for vector in read_vectors(DIGITS) if "digit" in vector.id]
    assert list(found.of("gpt2")) == wanted("gpt2")
    assert len(found.of("gpt2")) == len(wanted("gpt2")) > 0
    assert list(found.of("nobody")) == []


def test_one_and_several_are_found_by_number(found: Catalogue):
    vectors, right = found.of("gpt2"), wanted("gpt2")
    assert vectors[1] == right[1]
    assert vectors[1:3] == right[1:3]


def test_each_suite_has_its_own(found: Catalogue):
    for name, applies in TESTS.items():
        right = [vector for vector in wanted("gpt2") if applies(vector)]
        assert list(of_suite(found.of("gpt2"), name, applies)) == right
        assert list(of_suite(wanted("gpt2"), name, applies)) == right


def test_what_the_answers_are_about_is_noted(found: Catalogue):
    ((digest, (count, first)),) = found.of("gpt2").digests.items()
    assert digest == wanted("gpt2")[0].expect["gpt2"]["sha256"]
    assert (count, first) == (len(wanted("gpt2")), wanted("gpt2")[0].id)


def test_answers_are_packed_where_that_is_asked_for():
    found = catalogue(DIGITS, TESTS, lambda vector: "digit" in vector.id, hold=packed)
    assert {type(item.expect) for item in found.every.items} == {Packed}  # type: ignore[union-attr]


def test_many_rows_are_not_held(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stored, "KEPT", 3)
    assert {type(item) for item in read(DIGITS).every.items} == {int}


def test_a_damaged_line_is_named_with_its_file(tmp_path: Path):
    file = tmp_path / "v.jsonl"
    file.write_bytes(DIGITS.read_bytes() + b"{}\n")
    with pytest.raises(FormatError, match=r"v\.jsonl.*line \d+"):
        read(file)


@pytest.mark.parametrize(
    "change",
    [
        {"id": 7},
        {"op": "sing"},
        {"level": "may"},
        {"clauses": None},
        {"source": []},
        {"oracle": {"name": "x"}},
        {"expect": {"gpt2": 1}},
        {"oracle_note": None},
    ],
    ids=str,
)
def test_a_field_of_the_wrong_type_is_named(change: dict[str, object]):
    row = json.loads(DIGITS.read_bytes().split(b"\n")[0])
    assert parse_row(row, "row").id
    with pytest.raises(FormatError, match=next(iter(change))):
        parse_row({**row, **change}, "row")


def test_a_row_that_is_no_object_is_refused():
    with pytest.raises(FormatError, match="expected an object"):
        parse_row([], "row")
