"""The five behaviours on ranges, empty matches included (clauses ``pretok.behaviour.*``)."""

from __future__ import annotations

import itertools

import pytest

from tokassay.core.splitting import BEHAVIOURS, cut_at, find_in, ranges

LETTERS_B = ((ord("b"), ord("b")),)


def pieces(text, behaviour):
    cuts = ranges(find_in(LETTERS_B, text), len(text), behaviour)
    return [text[start:end] for start, end in cuts if start != end]


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_cutting_at_characters_is_cutting_at_their_matches(behaviour):
    for size in range(7):
        for letters in itertools.product("ab", repeat=size):
            text = "".join(letters)
            assert cut_at(LETTERS_B, behaviour, text) == pieces(text, behaviour), text


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_no_piece_is_lost_but_by_removal(behaviour):
    text = "abbabab"
    kept = "".join(pieces(text, behaviour))
    assert kept == (text.replace("b", "") if behaviour == "Removed" else text)


def test_matches_without_width_are_kept_as_cuts():
    cuts = ranges([(0, 0), (1, 1), (2, 2)], 2, "Isolated")
    assert cuts == [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]


@pytest.mark.parametrize("behaviour", ["MergedWithPrevious", "MergedWithNext"])
def test_matches_without_width_still_separate_when_merged(behaviour):
    text = "ab"
    cuts = ranges([(0, 0), (1, 1), (2, 2)], 2, behaviour)
    assert [text[start:end] for start, end in cuts if start != end] == ["a", "b"]


def test_a_set_without_members_cuts_nothing():
    assert cut_at((), "Isolated", "a\nb") == ["a\nb"]
