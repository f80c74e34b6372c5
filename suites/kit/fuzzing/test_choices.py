"""One grammar, three sources: seeds, bytes, Hypothesis."""

from __future__ import annotations

import math
import random

from hypothesis import find, given, settings
from hypothesis import strategies as st

from tokassay.fuzzing import strategies
from tokassay.fuzzing.choices import Asked, Decoded
from tokassay.fuzzing.grammar import tokenizers


@given(st.lists(st.tuples(st.integers(2, 300), st.integers(0, 10**6)), max_size=40))
@settings(max_examples=60, deadline=None)
def test_bytes_hold_every_choice_without_waste(asked):
    """Any choices can be written as bytes: they are the digits of one number in mixed radix."""
    sizes, wanted = [n for n, _ in asked], [value % n for n, value in asked]
    number = 0
    for n, value in reversed(list(zip(sizes, wanted))):
        number = number * n + value
    source = Decoded(b"")
    source._value, source._span = number, math.prod(sizes)
    assert [source._randbelow(n) for n in sizes] == wanted


def test_four_choices_of_four_take_one_byte():
    source = Decoded(bytes([0b11_10_01_00, 3]))
    assert [source._randbelow(4) for _ in range(4)] == [0, 1, 2, 3]
    assert not source.spent
    assert source._randbelow(256) == 3
    assert source.spent


def test_behind_the_end_every_choice_is_the_first():
    source = Decoded(b"")
    assert [source.randint(5, 9), source.choice("xyz"), source.random() < 0.5] == [5, "x", False]


def test_different_bytes_make_different_tokenizers():
    made = {str(tokenizers.tokenizer(Decoded(bytes([first] * 400)))) for first in range(64)}
    assert len(made) > 55


def test_every_choice_goes_through_one_door():
    asked = []
    chance = Asked(lambda n: asked.append(n) or n - 1)
    (
        chance.choice("abc"),
        chance.randint(1, 6),
        chance.sample(range(9), 2),
        chance.shuffle([1, 2]),
        chance.random(),
    )
    assert asked == [3, 6, 9, 8, 2, 1 << 16]


def test_hypothesis_shrinks_a_random_tokenizer_to_the_simplest():
    least = find(
        strategies.random_tokenizers(),
        lambda document: document["model"]["type"] == "Unigram",
        settings=settings(max_examples=300, database=None, deadline=None),
    )
    assert least["added_tokens"] == []
    assert least["normalizer"] is None


def test_the_same_seed_makes_the_same_tokenizer():
    assert tokenizers.tokenizer(random.Random(7)) == tokenizers.tokenizer(random.Random(7))
