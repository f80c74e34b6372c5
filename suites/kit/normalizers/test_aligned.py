"""Aligned texts: what stands for what after each kind of change (clauses ``align.*``)."""

from __future__ import annotations

import pytest

from tokassay.core.aligned import AlignedText
from tokassay.core.errors import EncodeError


def parts(text: AlignedText):
    return list(zip(text.text, text.spans))


def test_an_unchanged_character_stands_for_itself():
    assert parts(AlignedText.of("aé")) == [("a", (0, 1)), ("é", (1, 2))]


def test_an_inserted_character_shares_the_one_before():
    grown = AlignedText.of("ab").transform([("a", 0), ("x", 1), ("b", 0)])
    assert parts(grown) == [("a", (0, 1)), ("x", (0, 1)), ("b", (1, 2))]


def test_a_swallowed_character_leaves_the_range_of_the_first():
    shrunk = AlignedText.of("abcd").transform([("A", -2), ("d", 0)])
    assert parts(shrunk) == [("A", (0, 1)), ("d", (3, 4))]


def test_characters_can_be_removed_before_the_first():
    assert parts(AlignedText.of("  ab").stripped(2, 4)) == [("a", (2, 3)), ("b", (3, 4))]


def test_a_piece_begins_with_its_first_characters_range():
    piece = AlignedText.of("  ab").stripped(2, 4).slice(0, 2)
    assert piece.origin == (2, 4)


def test_an_inserted_character_before_any_other_stands_for_nothing():
    assert parts(AlignedText.of("ab").transform([("x", 1), ("a", 0), ("b", 0)])) == [
        ("x", (0, 0)),
        ("a", (0, 1)),
        ("b", (1, 2)),
    ]


def test_a_prefix_stands_for_the_first_character():
    assert parts(AlignedText.of("é").prepended("xy")) == [("x", (0, 1)), ("y", (0, 1)), ("é", (0, 1))]


def test_a_prefix_of_nothing_stays_nothing():
    assert AlignedText.of("").prepended("x").text == ""


def test_content_stands_for_the_last_character_of_its_match():
    assert parts(AlignedText.of("a  b").replaced([(1, 3)], "_-")) == [
        ("a", (0, 1)),
        ("_", (2, 3)),
        ("-", (2, 3)),
        ("b", (3, 4)),
    ]


def test_content_of_a_match_without_width_stands_for_the_character_before():
    between = AlignedText.of("ab").replaced([(0, 0), (1, 1), (2, 2)], "_")
    assert parts(between) == [("_", (0, 0)), ("a", (0, 1)), ("_", (0, 1)), ("b", (1, 2)), ("_", (1, 2))]


def test_a_change_behind_text_that_stands_for_nothing_fails_as_in_the_oracle():
    marked = AlignedText.of("abc").replaced([(0, 0)], "_")
    with pytest.raises(EncodeError):
        marked.changed("_ABC")


def test_a_piece_of_nothing_but_inserted_text_is_doubled_as_in_the_oracle():
    mark = AlignedText.of("abc").replaced([(0, 0)], "_").slice(0, 1)
    assert mark.origin == (0, 0)
    assert mark.changed("x").text == "x_"


def test_dropping_characters_keeps_the_others_in_place():
    kept = AlignedText.of("xaxxbx").filtered({ord("x"): None})
    assert parts(kept) == [("a", (1, 2)), ("b", (4, 5))]
    assert kept.origin == (0, 6)


def test_offsets_run_from_the_first_character_to_the_last():
    text = AlignedText.of("é漢a").expanded(lambda part: part.replace("漢", "han"))
    assert text.original_span(0, 2) == (0, 2)
    assert text.original_span(2, 5) == (1, 3)


def test_a_piece_cannot_end_before_its_start():
    with pytest.raises(EncodeError):
        AlignedText.of("abc").slice(2, 1)
