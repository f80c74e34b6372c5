"""Vectors on the board side: read, digested, sweeps and recipes that no Python version changes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tokassay.checks.recipes import cook, recipes
from tokassay.checks.sweeps import block_digests, sweep_ids
from tokassay.checks.vector import digest, parse_row, read_retractions, read_vectors
from tokassay.core.errors import FormatError

ROW = {
    "id": "a/b",
    "op": "encode",
    "kind": "a",
    "level": "must",
    "clauses": ["x"],
    "source": {"kind": "hand", "ref": ""},
    "oracle": {"name": "tokenizers", "version": "0.23.3"},
    "expect": {"t": {"ids": [1], "tokens": ["x"]}},
    "hash": "",
}


def test_lines_end_at_line_feeds_only(tmp_path: Path):
    text = "a\u2028b\u0085c\x1cd"
    path = tmp_path / "a.jsonl"
    path.write_bytes(json.dumps({**ROW, "text": text}, ensure_ascii=False).encode("utf-8") + b"\n")
    assert [vector.text for vector in read_vectors(tmp_path)] == [text]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: expected an object"),
        (json.dumps({**ROW, "op": "sing"}), "op: expected one of"),
        (json.dumps({**ROW, "expect": {"t": 1}}), "expect.t: expected an object"),
        ("[" * 100000, "line 1: not JSON"),
    ],
)
def test_a_bad_line_is_named_with_file_and_field(tmp_path: Path, line: str, fault: str):
    (tmp_path / "a.jsonl").write_text(line + "\n")
    with pytest.raises(FormatError, match=fault) as caught:
        read_vectors(tmp_path)
    assert "a.jsonl" in str(caught.value)


def test_what_a_row_leaves_out_is_equal_to_something():
    answer = parse_row({**ROW, "text": "x"}, "row").answer("t")
    assert answer["decoded"] == answer["decoded_plain"] == "x"
    assert answer["special_ids"] == [1]


def test_a_text_of_bytes_has_its_bad_ones_replaced():
    vector = parse_row({**ROW, "bytes_hex": "61ff"}, "row")
    assert (vector.text, vector.data) == ("a\ufffd", b"a\xff")


def test_a_tokenizer_given_as_text_is_that_file():
    assert parse_row({**ROW, "text": "", "tokenizer": "{ }"}, "row").inline == b"{ }"
    assert parse_row({**ROW, "text": "", "tokenizer": {"é": 1}}, "row").inline == b'{"\\u00e9":1}'
    assert parse_row({**ROW, "text": ""}, "row").inline is None


def test_retractions_of_an_absent_file_are_none(tmp_path: Path):
    assert read_retractions(tmp_path / "retracted.jsonl") == {}


def test_a_digest_does_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": (2, 3)}) == digest({"b": [2, 3], "a": 1})


# -- sweeps -----------------------------------------------------------------------------------------


def test_merges_are_swept_in_rank_order_in_both_forms():
    vocab = {"a": 0, "b": 1, "ab": 2, "aba": 3}
    for merges in ([["a", "b"], ["ab", "a"]], ["a b", "ab a"]):
        assert list(sweep_ids("pairs", {"model": {"vocab": vocab, "merges": merges}}, 4)) == [(0, 1), (2, 0)]


def test_without_merges_neighbours_are_swept():
    assert list(sweep_ids("pairs", {"model": {"vocab": {}}}, 3)) == [(0, 1), (1, 2)]


def test_every_id_is_swept_alone():
    assert list(sweep_ids("decode", {}, 3)) == list(sweep_ids("tokens", {}, 3)) == [(0,), (1,), (2,)]


def test_blocks_are_digested_one_by_one_and_the_last_may_be_short():
    assert list(block_digests(iter("abc"), 2)) == [digest(["a", "b"]), digest(["c"])]
    assert list(block_digests([], 2)) == []


# -- recipes ----------------------------------------------------------------------------------------


def test_a_recipe_gives_the_same_text_for_ever():
    made = {name: cook({"name": name, "seed": 1, "bytes": 2000}) for name in recipes()}
    text = "".join(made[name] for name in sorted(made))
    assert hashlib.sha256(text.encode()).hexdigest() == RECIPES_SHA256


@pytest.mark.parametrize("name", sorted(recipes()))
def test_a_recipe_fills_its_bytes_with_whole_characters(name: str):
    assert 997 <= len(cook({"name": name, "seed": 7, "bytes": 1000}).encode("utf-8")) <= 1000


RECIPES_SHA256 = "aa81bb58c6ab2006502615a07719c7d003c0483e4c532c2c8bafa31664d485da"
