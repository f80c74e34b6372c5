"""What a model accepts from a file, and how it writes itself (clause ``model.type``)."""

from __future__ import annotations

import pytest

from tokassay.core.errors import FormatError
from tokassay.core.models import read

VOCAB = {"a": 0, "b": 1, "ab": 2, "<unk>": 3}
WORDLEVEL = {"vocab": VOCAB, "unk_token": "<unk>"}
WORDPIECE = {**WORDLEVEL, "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
BPE = {"vocab": VOCAB, "merges": [["a", "b"]]}
UNIGRAM = {"vocab": [["<unk>", 0.0], ["a", -1]], "unk_id": 0}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (BPE, "BPE"),
        (WORDPIECE, "WordPiece"),
        (WORDLEVEL, "WordLevel"),
        (UNIGRAM, "Unigram"),
        ({**WORDPIECE, **BPE, "continuing_subword_prefix": ""}, "BPE"),
    ],
)
def test_a_file_without_type_is_the_first_model_that_fits(value, kind):
    assert kind == read(value, "model").TYPE


@pytest.mark.parametrize("value", [BPE, WORDPIECE, WORDLEVEL, UNIGRAM])
def test_what_is_written_reads_equal(value):
    model = read(value, "model")
    assert read(model.to_fields(), "model") == model


def test_lines_and_pairs_of_merges_are_equal():
    lines = read({**BPE, "merges": ["#version: 0.2", "a b"]}, "model")
    assert lines == read(BPE, "model")
    assert list(lines.merges) == [("a", "b")]


WRONG = [
    ("model.type", {**BPE, "type": "Word2Vec"}),
    ("model.type", {}),
    ("model.vocab['b']", {"type": "BPE", "merges": [], "vocab": {"a": 0, "b": -1}}),
    ("model.vocab['b']", {"type": "BPE", "merges": [], "vocab": {"a": 0, "b": True}}),
    ("model.vocab['b']", {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 2**32}}),
    ("model.vocab", {"type": "BPE", "merges": []}),
    ("model.merges[1]", {**BPE, "type": "BPE", "merges": [["a", "b"], ["a", "c"]]}),
    ("model.merges[0]", {**BPE, "type": "BPE", "merges": [["b", "a"]]}),
    ("model.merges[0]", {**BPE, "type": "BPE", "merges": [["b", 1]]}),
    ("model.merges", {**BPE, "type": "BPE", "merges": ["a b", ["a", "b"]]}),
    ("model.merges", {**BPE, "type": "BPE", "merges": ["a b", "ab", "a b b"]}),
    ("model.merges", {**BPE, "type": "BPE", "merges": None}),
    ("model.dropout", {**BPE, "type": "BPE", "dropout": 1.5}),
    ("model.dropout", {**BPE, "type": "BPE", "dropout": 1e300}),
    ("model.byte_fallback", {**BPE, "type": "BPE", "byte_fallback": "yes"}),
    ("model.unk_id", {**UNIGRAM, "type": "Unigram", "unk_id": 2}),
    ("model.vocab[1]", {"type": "Unigram", "vocab": [["a", 0.0], ["b"]]}),
    ("model.vocab[0]", {"type": "Unigram", "vocab": [["a", 2**2000]]}),
    ("model.unk_token", {"type": "WordLevel", "vocab": {}}),
    ("model.max_input_chars_per_word", {**WORDPIECE, "type": "WordPiece", "max_input_chars_per_word": -1}),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_what_hf_refuses_is_a_format_error_with_its_field(field, value):
    with pytest.raises(FormatError) as caught:
        read(value, "model")
    assert caught.value.field == field


def test_a_prefix_is_cut_from_the_right_part_whatever_it_is():
    value = {
        "type": "BPE",
        "continuing_subword_prefix": "#",
        "vocab": {"a": 0, "xb": 1, "ab": 2},
        "merges": [["a", "xb"]],
    }
    assert read(value, "model").vocab["ab"] == 2
    with pytest.raises(FormatError):
        read({**value, "continuing_subword_prefix": "###"}, "model")
