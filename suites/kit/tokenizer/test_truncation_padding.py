"""Stored truncation and padding on bare columns (``encoding.truncation.*``, ``encoding.padding.*``)."""

from __future__ import annotations

from typing import Any

import pytest

from tokassay.core.columns import Columns, Placed
from tokassay.core.description import Padding, Truncation
from tokassay.core.errors import EncodeError
from tokassay.core.padding import pad, pad_ids, padded_length
from tokassay.core.truncation import truncate, truncate_pair


def sequence_of(size: int):
    return Columns.of([Placed(i, str(i), (i, i + 1), i) for i in range(size)], 0)


def lengths(first: int, second: int | None, most: int, strategy: str = "LongestFirst", added: int = 0):
    other = None if second is None else sequence_of(second)
    one, two = truncate_pair(sequence_of(first), other, Truncation(most, strategy=strategy), added)
    return (len(one), None if two is None else len(two))


FACTS = [
    ("encoding.truncation.room", (5, None, 4, "LongestFirst", 1), (3, None)),
    ("encoding.truncation.wrap", (5, None, 1, "LongestFirst", 2), (5, None)),
    ("encoding.truncation.zero", (5, 2, 2, "LongestFirst", 2), (0, 0)),
    ("encoding.truncation.longest-first", (5, 5, 10), (5, 5)),
    ("encoding.truncation.longest-first", (2, 9, 6), (2, 4)),
    ("encoding.truncation.longest-first", (9, 2, 6), (4, 2)),
    ("encoding.truncation.longest-first", (9, 9, 5), (2, 3)),
    ("encoding.truncation.longest-first", (9, 8, 5), (3, 2)),
    ("encoding.truncation.longest-first", (9, 4, 3), (2, 1)),
    ("encoding.truncation.only", (5, 3, 4, "OnlyFirst"), (1, 3)),
    ("encoding.truncation.only", (3, 5, 4, "OnlySecond"), (3, 1)),
    ("encoding.truncation.only", (5, None, 4, "OnlyFirst"), (4, None)),
]


@pytest.mark.parametrize(("clause", "question", "answer"), FACTS)
def test_lengths_are_those_of_the_clause(clause: str, question: Any, answer: tuple[int, int | None]):
    assert lengths(*question) == answer, clause


@pytest.mark.parametrize(
    "question", [(5, None, 4, "OnlySecond"), (3, 5, 5, "OnlyFirst"), (5, 3, 5, "OnlySecond")]
)
def test_a_strategy_that_cannot_be_followed_is_an_error(question: Any):
    with pytest.raises(EncodeError):
        lengths(*question)


@pytest.mark.parametrize(
    ("direction", "stride", "windows"),
    [
        ("Right", 0, [[0, 1, 2], [3, 4, 5], [6]]),
        ("Right", 1, [[0, 1, 2], [2, 3, 4], [4, 5, 6]]),
        ("Left", 0, [[4, 5, 6], [1, 2, 3], [0]]),
        ("Left", 2, [[4, 5, 6], [3, 4, 5], [2, 3, 4], [1, 2, 3], [0, 1, 2]]),
    ],
)
def test_windows_overlap_by_the_stride(direction: str, stride: int, windows: list[list[int]]):
    cut = truncate(sequence_of(7), 3, stride, direction)
    assert [cut.ids, *(one.ids for one in cut.spill())] == windows


def test_a_stride_that_never_advances_is_an_error():
    with pytest.raises(EncodeError):
        truncate(sequence_of(7), 3, 3, "Right")


def test_truncation_to_nothing_overflows_whole():
    cut = truncate(sequence_of(3), 0, 0, "Right")
    assert (cut.ids, [one.ids for one in cut.spill()]) == ([], [[0, 1, 2]])


@pytest.mark.parametrize(
    ("sizes", "padding", "length"),
    [
        ([3, 5], Padding(), 5),
        ([3, 5], Padding(fixed=4), 4),
        ([3, 5], Padding(pad_to_multiple_of=4), 8),
        ([3, 4], Padding(pad_to_multiple_of=4), 4),
        ([3, 5], Padding(pad_to_multiple_of=0), 5),
        ([], Padding(), 0),
    ],
)
def test_padded_length(sizes: list[int], padding: Padding, length: int):
    assert padded_length(sizes, padding) == length


def test_padding_fills_every_column_on_the_side_it_says():
    padding = Padding(direction="Left", pad_id=9, pad_type_id=3, pad_token="<p>")
    padded = pad(sequence_of(1), 3, padding)
    assert padded.ids == [9, 9, 0] == pad_ids([0], 3, padding)
    assert padded.tokens == ["<p>", "<p>", "0"]
    assert padded.type_ids == [3, 3, 0]
    assert padded.word_ids == [None, None, 0]
    assert padded.offsets == [(0, 0), (0, 0), (0, 1)]
    assert (padded.attention_mask, padded.special_tokens_mask) == ([0, 0, 1], [1, 1, 0])


def test_overflowing_encodings_are_padded_to_the_same_length():
    padded = pad(truncate(sequence_of(5), 2, 0, "Right"), 4, Padding(pad_id=7))
    assert [one.ids for one in padded.spill()] == [[2, 3, 7, 7], [4, 7, 7, 7]]


def test_an_absurd_length_is_an_error():
    with pytest.raises(EncodeError):
        padded_length([1], Padding(fixed=10**15))
