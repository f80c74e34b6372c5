"""Added tokens by small facts: ids in force, and what is found where (clauses ``added.*``)."""

from __future__ import annotations

import pytest

from tokassay.core.added_tokens import AddedVocabulary
from tokassay.core.aligned import AlignedText
from tokassay.core.description import AddedToken
from tokassay.core.errors import EncodeError
from tokassay.core.matching import TextPattern
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.normalizers.lowercase import Lowercase
from tokassay.core.normalizers.replace import Replace
from tokassay.core.normalizers.strip import Strip

MODEL = WordLevel({"[UNK]": 0, "a": 1}, "[UNK]")


def token(content, index=99, **options):
    return AddedToken(index, content, **{"normalized": False, **options})


def build(*tokens, normalizer=None, model=MODEL):
    return AddedVocabulary.build(tokens, model, normalizer)


def found(vocabulary, text):
    """The parts on the aligned path, after checking that the fast path has the same."""
    parts = [(part.text, index) for part, index in vocabulary.split_aligned(AlignedText.of(text))]
    assert [(part, index) for part, index, _ in vocabulary.split(text)] == parts
    return parts


def test_ids_count_on_from_the_number_of_model_tokens():
    assert build(token("x"), token("a"), token("y")).token_ids == {"x": 2, "a": 1, "y": 3}


def test_a_hole_is_not_a_free_id():
    sparse = WordLevel({"[UNK]": 0, "q": 10, "r": 2}, "[UNK]")
    vocabulary = build(token("x", 3), token("y", 4), model=sparse)
    assert vocabulary.token_ids == {"x": 3, "y": 4}
    assert not vocabulary.warnings


def test_a_model_token_can_be_hidden():
    sparse = WordLevel({"[UNK]": 0, "q": 2}, "[UNK]")
    vocabulary = build(token("x", 2), model=sparse)
    assert (vocabulary.id_to_token(2), vocabulary.token_to_id("q")) == ("x", 2)
    assert "hides" in vocabulary.warnings[0].reason


@pytest.mark.parametrize(
    ("tokens", "word"),
    [
        ([token("x", 7)], "2 is in force"),
        ([token("", 2)], "no content"),
        ([token("x", 2), token("x", 2)], "repeats"),
        ([token("x", 2), token("x", 2, special=True)], "takes the place"),
    ],
)
def test_what_the_oracle_does_otherwise_is_a_warning(tokens, word):
    assert any(word in warning.reason for warning in build(*tokens).warnings)


def test_once_special_always_special():
    vocabulary = build(token("x", special=True), token("x", single_word=True))
    assert vocabulary.is_special("x")
    assert vocabulary.tokens[2].single_word


def test_the_longest_of_the_leftmost_counts():
    vocabulary = build(token("ab"), token("abc"), token("bcd"))
    assert found(vocabulary, "xabcdab") == [("x", None), ("abc", 3), ("d", None), ("ab", 2)]


def test_two_searches():
    vocabulary = build(token("AB", normalized=True), token("B"), normalizer=Lowercase())
    assert found(vocabulary, "xAbyB") == [("x", None), ("ab", 2), ("y", None), ("B", 3)]


def test_decoding_sees_the_normalized_form():
    vocabulary = build(token("AB", normalized=True, special=True), normalizer=Lowercase())
    assert vocabulary.id_to_token(2) == "ab"
    assert not vocabulary.is_special("ab")
    assert vocabulary.token_to_id("ab") is None


def test_the_form_stays_when_the_token_comes_again():
    vocabulary = build(token("AB", normalized=True), token("AB"), normalizer=Lowercase())
    assert vocabulary.id_to_token(2) == "ab"
    assert found(vocabulary, "abAB") == [("ab", None), ("AB", 2)]


def test_single_words():
    vocabulary = build(token("ab", single_word=True), token("b"))
    parts = found(vocabulary, "xab ab-ab\u200d b")
    assert parts == [("xab ", None), ("ab", 2), ("-ab\u200d ", None), ("b", 3)]


def test_blanks_on_both_sides():
    vocabulary = build(token("<m>", lstrip=True, rstrip=True))
    assert found(vocabulary, "a \t<m>\u3000 b\x1f<m>") == [
        ("a", None),
        (" \t<m>\u3000 ", 2),
        ("b\x1f", None),
        ("<m>", 2),
    ]


def test_blanks_are_taken_once():
    vocabulary = build(token("<", lstrip=True, rstrip=True))
    assert found(vocabulary, "< <") == [("< ", 2), ("<", 2)]


def test_a_token_of_blanks_is_found_inside_the_taken_ones():
    vocabulary = build(token("A", rstrip=True), token(" "))
    assert found(vocabulary, "A  b") == [("A  ", 2), (" ", 3), (" ", 3), ("b", None)]


def test_a_token_that_would_end_before_its_start_fails():
    vocabulary = build(token("A", rstrip=True), token(" ", lstrip=True))
    with pytest.raises(EncodeError):
        vocabulary.split("A   b")
    with pytest.raises(EncodeError):
        vocabulary.split_aligned(AlignedText.of("A   b"))


def without_text(*others, **options):
    """Tokens of which the first normalizes to nothing and is found everywhere."""
    empty = token("\n", normalized=True, **options)
    return build(empty, *others, normalizer=Replace(TextPattern("String", "\n"), ""))


def test_a_token_that_normalizes_to_nothing_cuts_into_characters():
    vocabulary = without_text(token("<x>", normalized=True))
    assert found(vocabulary, "ab<x>c") == [("a", None), ("b", None), ("<x>", 3), ("c", None)]
    assert vocabulary.warnings[1].reason == "'\\n' normalizes to nothing: found everywhere"


def test_a_token_without_text_takes_blanks():
    assert found(without_text(rstrip=True), " a ") == [(" ", 2), ("a", None), (" ", 2)]
    assert found(without_text(lstrip=True), " a ") == [(" ", 2), ("a", None), (" ", 2)]
    assert found(without_text(single_word=True), "ab") == [("ab", None)]


@pytest.mark.parametrize(("text", "reason"), [("é", "panics"), ("a<x", "never ends")])
def test_a_token_without_text_fails_where_the_oracle_does(text, reason):
    with pytest.raises(EncodeError, match=reason):
        without_text(token("<x>", normalized=True)).split(text)


def test_segments_are_normalized_apart():
    vocabulary = build(token("<s>"), normalizer=Strip(strip_left=True, strip_right=True))
    assert found(vocabulary, " a <s> <s> ") == [("a", None), ("<s>", 2), ("<s>", 2)]


@pytest.mark.parametrize(
    ("text", "normalizer", "expected"),
    [
        ("ab<s>c", None, [True, False, False]),
        ("<s>c", None, [False, False]),
        (" ab", Strip(strip_left=True, strip_right=False), [False]),
        ("ab", Strip(strip_left=True, strip_right=False), [True]),
        ("AB", Lowercase(), [True]),
    ],
)
def test_the_first_part_is_the_one_that_stands_for_the_start(text, normalizer, expected):
    parts = build(token("<s>"), normalizer=normalizer).split(text, positional=True)
    assert [first for _, _, first in parts] == expected


def test_special_characters_of_patterns_are_plain():
    vocabulary = build(*map(token, ["^x", "]", "-", "\\", "[a"]))
    assert [index for _, index in found(vocabulary, "^x]-\\[a")] == [2, 3, 4, 5, 6]
