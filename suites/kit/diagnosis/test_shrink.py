"""Shrinking: the result still fails, and no character of it can be dropped."""

from __future__ import annotations

import random

import pytest

from tokassay.diagnosis.shrink import shrink


@pytest.mark.parametrize(
    ("text", "needed"),
    [("x" * 50 + "ab" + "y" * 31, "ab"), ("a" + "-" * 999 + "b", "ab"), ("b", "b"), ("", "")],
)
def test_only_what_is_needed_stays(text: str, needed: str):
    def fails(candidate: str) -> bool:
        at = -1
        for char in needed:
            at = candidate.find(char, at + 1)
            if at < 0:
                return False
        return True

    assert shrink(text, fails) == needed


def test_no_single_character_can_be_dropped():
    rng = random.Random(20261130)
    for _ in range(50):
        text = "".join(rng.choice("abc") for _ in range(rng.randrange(1, 60)))

        def fails(candidate: str, most: int = text.count("a")) -> bool:
            return candidate.count("a") * 2 > most and candidate.count("b") % 3 == text.count("b") % 3  # noqa: B023

        if fails(text):
            least = shrink(text, fails)
            assert fails(least)
            assert not any(fails(least[:i] + least[i + 1 :]) for i in range(len(least)))


def test_tries_are_bounded():
    calls = []

    def fails(candidate: str) -> bool:
        calls.append(candidate)
        return False

    assert shrink("a" * 1000, fails, tries=20) == "a" * 1000
    assert len(calls) <= 20
