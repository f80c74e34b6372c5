"""How two answers are put under each other, and which stage is said to differ."""

from __future__ import annotations

from tokassay.checks.engine import Stages
from tokassay.checks.verdict import Difference
from tokassay.verdicts.clauses import first_sentence, sentence, sentences
from tokassay.verdicts.events import Finding
from tokassay.verdicts.showing import aligned, escaped, found
from tokassay.verdicts.stages import first_difference, stage_name


def test_ids_stand_column_under_column():
    assert aligned(Difference("ids", [1, 22, 3], [1, 5, 333])) == [
        "expected 1 22   3",
        "got      1  5 333",
        "           ^^",
    ]


def test_a_long_answer_is_a_window():
    assert aligned(Difference("ids", [*range(100)], [*range(50), 0, *range(51, 100)])) == [
        "expected [44 before] 44 45 46 47 48 49 50 51 52 53 54 55 56 [43 more]",
        "got      [44 before] 44 45 46 47 48 49  0 51 52 53 54 55 56 [43 more]",
        "                                       ^^",
    ]


def test_a_missing_end_is_pointed_at():
    assert aligned(Difference("ids", [1], [1, 2])) == ["expected 1", "got      1 2", "           ^"]


def test_texts_and_bytes_are_escaped():
    assert aligned(Difference("text", "é", "e\u0301")) == ['expected "\\u00e9"', 'got      "e\\u0301"']
    assert aligned(Difference("bytes", b"\xff", b"")) == ["expected ff", "got"]


def test_sides_have_names():
    assert aligned(Difference("ids", [1], [2]), ("reference", "hf"))[:2] == ["reference 1", "hf        2"]


def test_the_first_difference_is_the_length_of_a_prefix():
    assert Difference("text", "ab", "abc").first == 2


def test_a_long_text_is_cut_and_its_length_told():
    assert escaped("a" * 200, limit=3) == '"aaa" ... (200 characters)'


def test_the_first_stage_that_differs_is_named():
    right = Stages(["a b"], ["a b"], ["a", "b"], ["a", "b"], [1, 2])
    wrong = Stages(["a b"], ["a b"], ["a b"], ["a b"], [3])
    assert stage_name(first_difference(right, wrong)) == "pre-tokenizer"
    assert first_difference(right, right) == ""


def test_stages_that_one_side_cannot_tell_are_passed_over():
    assert stage_name(first_difference(Stages(ids=[1]), Stages(["a"], ids=[2]))) == "post-processor"
    assert first_difference(Stages(), Stages(["a"])) == ""


def test_clauses_have_sentences():
    assert sentence("exit.codes") is not None
    assert sentence("exit.codes").startswith("0 conforms")
    assert sentence("exit.codes").endswith("or nothing ran.")
    assert first_sentence("one line") == "one line"
    assert sentence("no.such.clause") is None
    assert len(sentences()) > 15


def test_a_finding_shows_the_second_text_of_a_pair():
    finding = Finding("e", "t", "encode", "diverge", 1, ("a",), "why", given={"text": "a", "pair": "b"})
    assert found([finding], 1)[1:3] == ['  smallest "a"', '  pair     "b"']
