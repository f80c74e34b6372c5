"""Which tokenizers and vectors a run takes: own, real, foreign files, retracted and stale answers."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Callable

import pytest

from tokassay import data
from tokassay.cli import UsageError, main
from tokassay.cli._common import find_tokenizer
from tokassay.cli._plan import Selection, plan, select_vectors
from tokassay.vectors.oracle import Oracle

GOLDEN = data.root() / "golden"
DIGITS = GOLDEN / "vectors" / "encode" / "digits.jsonl"


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A tokenizer that has no golden answers: an own one with another unknown token."""
    parsed = json.loads((GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json").read_bytes())
    parsed["added_tokens"].append({**parsed["added_tokens"][0], "id": 99999, "content": "<foreign>"})
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(parsed), "utf-8")
    return folder


def test_a_foreign_file_is_answered_by_the_oracle(foreign: Path, capsys: pytest.CaptureFixture[str]):
    for place in (foreign, foreign / "tokenizer.json"):
        assert main(["run", "--tokenizer", str(place), "--vectors", str(DIGITS)]) == 0
        assert capsys.readouterr().out.count("mine") == 2


def test_a_foreign_file_shows_an_engines_faults(foreign: Path):
    chosen = ["--engine", "fake:wrong", "--tokenizer", str(foreign), "--vectors", str(DIGITS)]
    assert main(["run", *chosen]) == 1


def test_without_the_oracle_a_foreign_file_cannot_be_judged(
    foreign: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr("tokassay.cli._live.Oracle", partial(Oracle, python=str(program)))
    assert main(["run", "--engine", "reference", "--tokenizer", str(foreign)]) == 2
    assert "the oracle is not at hand" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "[", '{"version": "1.0"'])
def test_a_file_that_no_one_can_load_is_no_pass(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    damaged = tmp_path / "damaged.json"
    damaged.write_text(content, "utf-8")
    assert main(["run", "--engine", "reference", "--tokenizer", str(damaged), "--vectors", str(DIGITS)]) == 2
    assert "cannot be used" in capsys.readouterr().err


def test_the_file_of_a_known_tokenizer_takes_its_golden_answers(tmp_path: Path):
    copy = tmp_path / "copied.json"
    copy.write_bytes((GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json").read_bytes())
    (target,) = plan(Selection(engines=("reference",), tokenizers=(str(copy),), folder=DIGITS)).targets
    assert (target.name, target.path) == ("gpt2", str(copy))


def test_a_default_engine_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    chosen = Selection(tokenizers=("gpt2",), folder=DIGITS)
    assert [engine.info.name for engine in plan(chosen).engines] == ["reference"]
    assert any("engine hf is not run" in note and "pip install tokassay[hf]" in note for note in chosen.notes)


def test_an_engine_that_was_asked_for_and_is_not_installed_is_down(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    chosen = ["--engine", "reference", "--engine", "hf", "--tokenizer", "gpt2", "--vectors", str(DIGITS)]
    assert main(["run", *chosen]) == 3


@pytest.mark.parametrize(
    ("absent", "way"),
    [(("a",), "tokassay zoo fetch, then --tokenizer zoo"), ((), "to run them: --tokenizer zoo")],
)
def test_real_tokenizers_that_are_fetched_need_no_fetching(
    monkeypatch: pytest.MonkeyPatch, absent: tuple[str, ...], way: str
):
    located = SimpleNamespace(present={"b": Path("b")}, absent=absent)
    monkeypatch.setattr("tokassay.cli._plan.zoo.locate", lambda: located)
    chosen = Selection(engines=("reference",), folder=DIGITS)
    plan(chosen)
    assert any(way in note and "(1 fetched)" in note for note in chosen.notes)


def edited(tmp_path: Path, change: Callable[[dict[str, dict[str, object]]], object]) -> Path:
    """The digits with the answers for gpt2 changed."""
    rows = [json.loads(line) for line in DIGITS.read_bytes().split(b"\n") if line]
    for row in rows:
        change(row["expect"])
    file = tmp_path / "digits.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def test_answers_for_another_file_are_the_suites_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    stale = edited(tmp_path, lambda expect: expect["gpt2"].update(sha256="0" * 16))
    chosen = ["--engine", "reference", "--tokenizer", "gpt2", "--tokenizer", "bert-cased"]
    assert main(["run", *chosen, "--vectors", str(stale)]) == 4
    out = capsys.readouterr().out
    assert "BROKEN SUITE: gpt2: 13 answers are for another file" in out
    assert "bert-cased" in out


def test_a_tokenizer_without_answers_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    some = edited(tmp_path, lambda expect: expect.pop("gpt2"))
    chosen = ["--engine", "reference", "--tokenizer", "gpt2", "--tokenizer", "bert-cased"]
    assert main(["run", *chosen, "--vectors", str(some)]) == 0
    assert "no vector of this selection holds an answer for: gpt2" in capsys.readouterr().err


def test_a_damaged_vector_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": 1}\n', "utf-8")
    assert main(["run", "--engine", "reference", "--vectors", str(bad)]) == 4
    assert "bad.jsonl" in capsys.readouterr().err


def test_levels_select():
    must = select_vectors(Selection(levels=("must",), folder=DIGITS))
    should = select_vectors(Selection(levels=("should",), folder=DIGITS))
    assert len(must) + len(should) == len(select_vectors(Selection(folder=DIGITS)))


def test_a_tokenizer_is_a_path_a_folder_or_a_name(
    foreign: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert find_tokenizer(str(foreign)) == foreign / "tokenizer.json"
    assert find_tokenizer("gpt2") == GOLDEN / "tokenizers" / "gpt2" / "tokenizer.json"
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path))
    with pytest.raises(UsageError, match="zoo fetch qwen3"):
        find_tokenizer("qwen3")
    with pytest.raises(UsageError, match="neither a file nor a known name"):
        find_tokenizer("nonsense")


def test_all_real_tokenizers_are_one_word(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path))
    targets = plan(Selection(engines=("reference",), tokenizers=("zoo",), folder=DIGITS)).targets
    assert len(targets) > 5
    assert all(target.path is None and "zoo fetch" in target.reason for target in targets)
