"""Mutants as engines of fuzz targets: found, told, and nothing is found where there is none."""

from __future__ import annotations

import json
import random

import pytest

from tokassay.checks.engine import AddressError
from tokassay.cli import main
from tokassay.fuzzing import hunting, sides
from tokassay.fuzzing.target import Setting, programs
from tokassay.fuzzing.worker import case_seed, tried
from tokassay.mutants import catalogue, engine_at
from tokassay.mutants._fault import Fault


def test_a_mutant_has_an_address():
    mutant = next(catalogue(["stream"]))
    assert mutant.address == "mutant:stream/partial-given"
    assert engine_at(mutant.address).info.name == "partial-given"
    with pytest.raises(AddressError, match="mutant:stream/none"):
        engine_at("mutant:stream/none")


def test_every_area_of_the_catalogue_has_targets():
    assert {mutant.area for mutant in catalogue()} == set(hunting.TARGETS)
    assert {name for names in hunting.TARGETS.values() for name in names} <= set(programs())


def test_the_same_seed_draws_the_same_mutants():
    first, again, other = ([one.address for one in hunting.drawn(20, seed)] for seed in (3, 3, 4))
    assert first == again != other
    assert len(hunting.drawn(10**6, 3, ["stream"])) == len(list(catalogue(["stream"])))


def test_the_command_says_how_long_it_took(capsys):
    assert main(["mutants", "lookup", "--hunt", "2", "--time", "20", "--json"]) == 0
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["target"] for row in rows] == ["lookup", "lookup"]
    assert all(row["found"] and row["cases"] and row["seconds"] < 20 for row in rows)
    assert "2 of 2 found" in err
    assert main(["mutants", "lookup", "--hunt", "1", "--markdown"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == list(hunting.HEAD)


def test_what_is_not_found_in_time_is_a_failure(capsys):
    assert main(["mutants", "stream", "--hunt", "1", "--time", "0.001"]) == 1
    assert "NOT FOUND" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["decode", "encode", "mtok", "random-tokenizer", "stream", "tokenizer-txt"])
def test_an_engine_without_a_fault_is_not_found(name, tmp_path, monkeypatch):
    """What hunts find is the fault and not what the mutants' engine is made of."""
    sound = Fault("sound", "nothing", "none")
    monkeypatch.setattr(
        sides, "engine_at", lambda address: sound.open_engine() if address == "sound" else engine_at(address)
    )
    target = programs()[name].open(Setting("sound", scratch=str(tmp_path)))
    for index in range(60):
        case = target.draw(random.Random(case_seed(7, index)))
        assert tried(target.check, case) is None, case


@pytest.mark.nightly
def test_twenty_mutants_are_found_within_a_minute_each(capsys):
    """The table of docs/fuzzing.md."""
    assert main(["mutants", "--hunt", "20", "--seed", "20261130"]) == 0
    assert "20 of 20 found" in capsys.readouterr().err
