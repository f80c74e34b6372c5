"""Faulty look-up, proposers and loops: each is noticed by the golden histories or the toy runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay.mutants import lookup

OUTCOMES = {outcome.mutant: outcome for outcome in lookup.outcomes(Path())}


def test_there_are_at_least_twenty_of_them():
    assert len(OUTCOMES) >= 20


@pytest.mark.parametrize("mutant", sorted(OUTCOMES))
def test_it_is_noticed(mutant: str):
    assert OUTCOMES[mutant].caught


def test_a_dropped_bonus_token_shows_in_the_passes_only():
    for change in OUTCOMES["bonus-dropped"].changes:
        assert str(change.expected).split(" in ")[0] == str(change.got).split(" in ")[0]


def test_the_loop_without_a_fault_is_generate():
    assert not list(lookup._runs(lookup.Loop()))
