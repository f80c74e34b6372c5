"""Every way to break a vocab.bin is noticed by a probe, and the table says by which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import List

import pytest

from tokassay import data, zoo
from tokassay.cli import main
from tokassay.cli.mutants import differing, shown
from tokassay.mutants import Change, Outcome, areas, vocab_bin

OWN = data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json"


@pytest.fixture(scope="module")
def outcomes() -> List[Outcome]:
    return list(vocab_bin.outcomes(OWN))


def test_every_mutant_is_caught(outcomes: List[Outcome]):
    assert [outcome.mutant for outcome in outcomes if not outcome.caught] == []


def test_there_are_at_least_fifteen_different_probes():
    assert len(vocab_bin.PROBES) >= 15
    assert len(set(vocab_bin.PROBES)) == len(vocab_bin.PROBES)


def test_the_three_places_of_old_mistakes_are_mutants(outcomes: List[Outcome]):
    assert {"no-ad", "no-80-a0", "no-7f", "no-special-copy", "big-endian"} <= {one.mutant for one in outcomes}


def test_without_the_branch_for_7f_only_the_text_with_7f_changes(outcomes: List[Outcome]):
    (change,) = next(one for one in outcomes if one.mutant == "no-7f").changes
    assert "\x7f" in change.probe
    _, expected, got = differing(change.expected, change.got)  # type: ignore[arg-type]
    assert (len(expected), got[0]) == (len(got), 0)


def test_a_file_of_swapped_numbers_is_refused(outcomes: List[Outcome]):
    swapped = next(one for one in outcomes if one.mutant == "big-endian")
    assert len(swapped.changes) == len(vocab_bin.PROBES)
    assert str(swapped.changes[0].got).startswith("refused: byte 0: count")


def test_lists_part_and_meet_again():
    assert differing((1, 2, 3, 9), (1, 5, 9)) == (1, (2, 3), (5,))
    assert differing((1, 1), (1,)) == (1, (1,), ())


def test_a_mutant_that_nothing_notices_is_shown_as_such():
    assert "NOT CAUGHT" in next(shown(Outcome("idle", "nothing", ())))


def test_a_change_of_the_text_alone_is_shown():
    lines = list(shown(Outcome("m", "b", (Change(3, "x", (1,), (1,), "x", "y"),))))
    assert 'ids as before, text "y"' in lines[1]


def test_the_command_prints_the_table_and_ends_well(capsys: pytest.CaptureFixture[str]):
    assert main(["mutants", "vocab-bin"]) == 0
    assert "no-ad" in capsys.readouterr().out


def test_the_command_gives_json(capsys: pytest.CaptureFixture[str]):
    assert main(["mutants", "vocab-bin", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(row["caught"] and row["area"] == "vocab-bin" for row in rows)


def test_a_mutant_that_is_not_caught_is_a_failure(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vocab_bin, "PROBES", ("a",))
    assert main(["mutants", "vocab-bin"]) == 1


def test_an_unknown_area_is_a_usage_error(capsys: pytest.CaptureFixture[str]):
    assert main(["mutants", "nothing"]) == 2
    assert "vocab-bin" in capsys.readouterr().err


def test_areas_are_found_by_file():
    assert areas()["vocab-bin"].TOKENIZER == "qwen"


@pytest.mark.nightly
def test_every_mutant_of_the_real_vocabulary_is_caught():
    path = zoo.locate(["qwen3"]).present.get("qwen3", Path("qwen3: tokassay zoo fetch qwen3"))
    assert [one.mutant for one in vocab_bin.outcomes(path) if not one.caught] == []
