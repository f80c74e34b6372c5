"""Random tokenizers to which the oracle gives no one answer are left out, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from tokassay.fuzzing.documents import document
from tokassay.fuzzing.sides import is_undecided
from tokassay.fuzzing.target import programs

DROP_A = {"type": "Replace", "pattern": {"String": "a"}, "content": ""}


def added(*contents: str, normalized: bool = True) -> list[dict[str, Any]]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False)
    return [
        {"id": 9 + place, "content": content, "normalized": normalized, **flags}
        for place, content in enumerate(contents)
    ]


@pytest.mark.parametrize(
    ("tokens", "undecided"),
    [
        (added("ab", "b"), True),  # both are searched for as "b"; which one is found varies from load to load
        (added("aa", "b"), True),  # nothing is left of the first
        (added("ab", "c"), False),
        (added("ab", "ab"), False),
        (added("ab", "b", normalized=False), False),
    ],
)
def test_two_tokens_of_one_form_and_one_without_any_are_left_out(tokens: Any, undecided: bool):
    assert is_undecided(document(added_tokens=tokens, normalizer=DROP_A)) == undecided


def test_without_a_normalizer_every_token_has_its_own_form():
    assert not is_undecided(document(added_tokens=added("ab", "b")))


def test_overflowing_encodings_are_few():
    """Combined each with each, a template that names both sequences twice makes thousands of short texts."""
    few = programs()["random-tokenizer"].module.few
    once = {
        "single": [{"Sequence": {"id": "A"}}],
        "pair": [{"Sequence": {"id": "A"}}, {"Sequence": {"id": "B"}}],
    }
    twice = {**once, "pair": once["pair"] * 2}
    assert few(["a long text"], once) == ["a long text"]
    assert few(["a long text"], twice) == ["a l"]
