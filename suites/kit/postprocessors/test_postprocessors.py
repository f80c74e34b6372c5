"""What each post-processor adds and changes: one fact per case (clauses ``post.*``)."""

from __future__ import annotations

from typing import Any

import pytest

from tokassay.core import postprocessors
from tokassay.core.aligned import Span
from tokassay.core.columns import Columns, Placed, merge
from tokassay.core.errors import EncodeError, FormatError
from tokassay.core.frame import fill
from tokassay.core.pipeline import post_process
from tokassay.core.truncation import truncate

BERT = {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}
ROBERTA = {
    "type": "RobertaProcessing",
    "sep": ["</s>", 2],
    "cls": ["<s>", 0],
    "trim_offsets": True,
    "add_prefix_space": True,
}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}


def text(name: str, type_id: int = 0):
    return {"Sequence": {"id": name, "type_id": type_id}}


def special(name: str, type_id: int = 0):
    return {"SpecialToken": {"id": name, "type_id": type_id}}


def template(single: Any, pair: Any = (), **tokens: list[int]):
    known = {
        name: {"id": name, "ids": list(ids), "tokens": [name] * len(ids)}
        for name, ids in sorted(tokens.items())
    }
    return {"type": "TemplateProcessing", "single": list(single), "pair": list(pair), "special_tokens": known}


T5 = template(
    [text("A"), special("eos")], [text("A"), special("eos"), text("B", 1), special("eos", 1)], eos=[1]
)


def sequence_of(*ids: int):
    return Columns.of([Placed(index, f"t{index}", (i, i + 1), i) for i, index in enumerate(ids)], 0)


def processed(value: Any, first: Any, second: Any = None, special_tokens: bool = True):
    processor = None if value is None else postprocessors.read(value, "post_processor")
    parts = [first] if second is None else [first, second]
    return merge(post_process(processor, parts, special_tokens))


FACTS = [
    ("post.none", None, True, [7, 8, 9], [0, 0, 0]),
    ("post.bert", BERT, True, [101, 7, 8, 102, 9, 102], [0, 0, 0, 0, 1, 1]),
    ("post.bert", BERT, False, [7, 8, 9], [0, 0, 1]),
    ("post.roberta", ROBERTA, True, [0, 7, 8, 2, 2, 9, 2], [0] * 7),
    ("post.roberta", ROBERTA, False, [7, 8, 9], [0] * 3),
    ("post.byte-level", BYTE_LEVEL, True, [7, 8, 9], [0, 0, 1]),
    ("post.template", T5, True, [7, 8, 1, 9, 1], [0, 0, 0, 1, 1]),
    ("post.template", template([], [text("B", 3)]), True, [9], [3]),
    (
        "post.template.repeated",
        template([], [text("A"), text("B", 2), text("A", 4)]),
        True,
        [7, 8, 9, 7, 8],
        [0, 0, 2, 4, 4],
    ),
    ("post.template.uneven", template([], [special("x", 1)], x=[4, 5]), True, [4, 5], [1, 1]),
    (
        "post.sequence",
        {"type": "Sequence", "processors": [BYTE_LEVEL, T5]},
        True,
        [7, 8, 1, 9, 1],
        [0, 0, 0, 1, 1],
    ),
    ("post.sequence", {"type": "Sequence", "processors": []}, True, [7, 8, 9], [0, 0, 1]),
]


@pytest.mark.parametrize(("clause", "value", "special_tokens", "ids", "type_ids"), FACTS)
def test_a_pair_is_processed_as_its_clause_says(
    clause: str, value: Any, special_tokens: bool, ids: list[int], type_ids: list[int]
):
    result = processed(value, sequence_of(7, 8), sequence_of(9), special_tokens)
    assert (result.ids, result.type_ids) == (ids, type_ids), clause


def test_special_tokens_are_marked_and_stand_nowhere():
    result = processed(BERT, sequence_of(7))
    assert result.special_tokens_mask == [1, 0, 1]
    assert result.attention_mask == [1, 1, 1]
    assert result.offsets == [(0, 0), (0, 1), (0, 0)]
    assert result.word_ids == [None, 0, None]
    assert result.tokens == ["[CLS]", "t7", "[SEP]"]


def test_overflowing_encodings_are_enclosed_too():
    cut = truncate(sequence_of(7, 8, 9), 1, 0, "Right")
    assert [one.ids for one in processed(BERT, cut).spill()] == [[101, 8, 102], [101, 9, 102]]


def test_two_overflowing_sequences_are_combined_each_with_each():
    first, second = truncate(sequence_of(1, 2), 1, 0, "Right"), truncate(sequence_of(3, 4), 1, 0, "Right")
    merged = processed(None, first, second)
    assert [one.ids for one in merged.spill()] == [[2, 3], [2, 4], [1, 4]]
    assert [one.ids for one in merged.spill()[0].spill()] == [[2, 4]]


TRIMMED = [
    ("post.trim-offsets", "\u0120\u0120a\u0120", (4, 8), (6, 7)),
    ("post.trim-offsets", "\u0120\u0120", (4, 6), (6, 6)),
    ("post.trim-offsets", "\u010aa", (4, 6), (4, 6)),
    ("post.trim-offsets", "\u3000a", (4, 6), (5, 6)),
    ("post.trim-offsets", "\u001ca", (4, 6), (4, 6)),
    ("post.trim-offsets", "a\u0120\u0120", (0, 1), (0, 1)),
    ("post.trim-offsets.prefix", "\u0120a", (0, 2), (0, 2)),
    ("post.trim-offsets.prefix", "\u0120\u0120a", (0, 3), (2, 3)),
]


@pytest.mark.parametrize(("clause", "token", "span", "trimmed"), TRIMMED)
def test_offsets_are_trimmed(clause: str, token: str, span: Span, trimmed: Span):
    columns = Columns.of([Placed(1, "x", (0, 1), 0), Placed(2, token, span, 1)], 0)
    assert processed(BYTE_LEVEL, columns).offsets[1] == trimmed, clause


@pytest.mark.parametrize(
    ("value", "second"),
    [
        (template([special("x")]), False),
        (template([text("B")]), False),
        ({"type": "Sequence", "processors": [template([special("x")] * 2 + [text("A")], x=[1]), T5]}, False),
    ],
)
def test_what_makes_the_oracle_panic_is_an_encode_error(value: Any, second: bool):
    with pytest.raises(EncodeError):
        processed(value, sequence_of(7), sequence_of(9) if second else None)


def test_room_is_left_for_the_tokens_of_the_template():
    made = postprocessors.read(
        template([special("x"), special("y")], [special("x")], x=[1, 2]), "post_processor"
    )
    assert (made.added_tokens(False), made.added_tokens(True)) == (2, 2)


@pytest.mark.parametrize("value", [fact[1] for fact in FACTS if fact[1]])
def test_a_post_processor_is_written_as_it_was_read(value: Any):
    assert postprocessors.read(value, "post_processor").to_fields() == value


WRONG = [
    ({"type": "BertProcessing", "sep": ["x", 1, 2], "cls": ["y", 2]}, "post_processor.sep"),
    ({"type": "BertProcessing", "sep": ["x", 2**32], "cls": ["y", 2]}, "post_processor.sep.id"),
    (
        {"type": "RobertaProcessing", "sep": ["x", 1], "cls": ["y", 2], "trim_offsets": True},
        "post_processor.add_prefix_space",
    ),
    ({"type": "ByteLevel", "trim_offsets": True}, "post_processor.add_prefix_space"),
    (template([{"Sequence": {"id": "C", "type_id": 0}}]), "post_processor.single[0].Sequence.id"),
    (template([{**text("A"), **special("x")}]), "post_processor.single[0]"),
    (template([], [{"SpecialToken": {"id": "x"}}]), "post_processor.pair[0].SpecialToken.type_id"),
    (
        {**T5, "special_tokens": {"x": {"id": "x", "ids": [-1], "tokens": []}}},
        "post_processor.special_tokens.x.ids[0].id",
    ),
    ({"type": "Sequence", "processors": [{"type": "Bert"}]}, "post_processor.processors[0].type"),
]


def test_id_0_alone_is_a_frame_and_no_mark():
    assert fill((0,), [[5, 6]]) == [0]
    assert fill((-1,), [[5, 6]]) == [5, 6]


@pytest.mark.parametrize(("value", "field"), WRONG)
def test_a_wrong_field_is_named(value: Any, field: str):
    with pytest.raises(FormatError) as caught:
        postprocessors.read(value, "post_processor")
    assert caught.value.field == field


def test_every_post_processor_of_the_oracle_is_here():
    from tokassay.core.registry import discover

    known = {"BertProcessing", "ByteLevel", "RobertaProcessing", "Sequence", "TemplateProcessing"}
    assert set(discover("tokassay.core.postprocessors")) == known
