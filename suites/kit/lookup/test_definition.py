"""The definition and the table, as the source document shows them."""

from __future__ import annotations

import pytest

from tokassay.lookup import draw, find_candidate_ids, table

SENTENCE = "What is the capital of South Korea?"


def test_the_documents_table_of_2_grams_and_3_tokens():
    rows = [(" ".join(row.ngram), " ".join(row.continuation)) for row in table(SENTENCE, 2, 3)]
    assert rows == [
        ("What is", "the capital of"),
        ("is the", "capital of South"),
        ("the capital", "of South Korea"),
    ]


def test_the_table_is_drawn_in_two_columns():
    assert draw(table([1, 2, 3, 4], 1, 2)) == "1  2 3\n2  3 4"
    assert draw(table([1], 1, 2)) == ""


@pytest.mark.parametrize(
    ("ids", "max_ngram", "num_draft", "expected"),
    [
        ([1, 2, 3, 4, 1, 2, 3], 3, 10, []),  # only four ids follow
        ([1, 2, 3, 4, 1, 2, 3], 3, 3, [4, 1, 2]),
        ([1, 2, 3, 1, 2, 3], 3, 2, [1, 2]),  # the 3-gram starts where the final one does: the 2-gram answers
        ([7, 7], 1, 1, []),
        ([7, 7, 7], 3, 1, [7]),
        ([2, 3, 4, 5, 1, 2, 3, 4, 1, 2, 3, 4], 4, 4, [5, 1, 2, 3]),
        ([1, 2, 9, 1, 2, 8, 1, 2], 2, 3, [9, 1, 2]),  # leftmost
        ([], 3, 10, []),
        ([0, 5, 0], 1, 1, [5]),
        ([0, 5, 6, 0], 1, 2, [5, 6]),
    ],
)
def test_the_longest_then_leftmost_full_continuation(ids, max_ngram, num_draft, expected):
    assert find_candidate_ids(ids, max_ngram, num_draft) == expected


def test_a_short_history_tries_shorter_ngrams_unless_strict():
    assert find_candidate_ids([5, 6, 5], 4, 1) == [6]
    with pytest.raises(ValueError, match="a history of 3 ids is shorter than the n-gram of 4"):
        find_candidate_ids([5, 6, 5], 4, 1, strict=True)


def test_ten_ids_are_drafted_unless_told():
    ids = [*range(1, 20), 1]
    assert find_candidate_ids(ids) == list(range(2, 12))
