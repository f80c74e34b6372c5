"""Coverage-guided runs: what surrounds atheris, which has no part in the default tests."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tokassay import data
from tokassay.cli import fuzz, main
from tokassay.fuzzing import coverage
from tokassay.fuzzing.campaign import Campaign, Plan
from tokassay.fuzzing.storing import Store, read_finding
from tokassay.fuzzing.target import Found, Setting, programs

GPT2 = str(data.root() / "golden" / "tokenizers" / "gpt2" / "tokenizer.json")
PATH = programs()["vocab-bin"].path


def test_without_atheris_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "atheris", None)
    assert coverage.main(PATH, []) == 3
    assert "tokassay[fuzz]" in capsys.readouterr().err


def test_one_execution_raises_where_the_property_fails(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKASSAY_FUZZ_ENGINE", "fake:wrong")
    run = coverage.once(programs()["encode"], str(tmp_path))
    with pytest.raises(coverage.PropertyError, match="ids"):
        run(b"\0ab")
    coverage.once(programs()["vocab-bin"], str(tmp_path))(b"no vocabulary")


def test_inputs_are_as_large_as_most_seeds_and_merging_cuts_nothing():
    seeds = [bytes(size) for size in (1, 2, *[400] * 16, 500, 30_000)]
    assert coverage.options(["corpus", "-seeds=0"], seeds) == ["corpus", "-max_len=2000"]
    assert coverage.options(["-runs=1"], [b"small"]) == ["-runs=1", "-max_len=1024"]
    assert coverage.options(["-max_len=7"], seeds) == ["-max_len=7"]
    assert coverage.options(["-merge=1", "-seeds=0"], seeds) == ["-merge=1"]
    assert coverage.options(["corpus"], []) == ["corpus"]


def test_what_the_fuzzer_stores_is_told(tmp_path, monkeypatch, capsys):
    def ran(_, words, __):
        (prefix,) = (word.partition("=")[2] for word in words if word.startswith("-artifact_prefix"))
        (tmp_path / "crashes" / "crash-1").write_bytes(b"x")
        assert prefix == f"{tmp_path / 'crashes'}/"
        return 77

    monkeypatch.setattr(fuzz, "_atheris", ran)
    assert main(["fuzz", "vocab-bin", "--guided", "--count", "5", "--state", str(tmp_path)]) == 1
    assert "crash-1 --target vocab-bin" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "crashes" / "crash-1"), "--target", "vocab-bin"]) == 0


@pytest.mark.parametrize(("engine", "text", "case"), [("fake:wrong", "one two three", 1), ("hf", "a", 0)])
def test_what_the_fuzzer_stores_is_made_small(tmp_path, monkeypatch, engine, text, case):
    """As of any campaign: one finding with a card; what does not fail any more is none."""

    def ran(*_):
        for number in range(2):
            (tmp_path / "crashes" / f"crash-{number}").write_bytes(bytes([number]) + text.encode())
        return 77

    monkeypatch.setattr(fuzz, "_atheris", ran)
    words = ("--engine", engine, "--against", "hf", "--count", "5", "--state", str(tmp_path))
    assert main(["fuzz", "encode", "--guided", *words]) == 1
    found = [read_finding(path) for path in (tmp_path / "findings").iterdir()]
    assert [len(one.case["text"]) for one in found] == [1] * case
    assert not (tmp_path / "state.json").exists()
    assert [main(["replay", str(tmp_path / "findings" / one.name)]) for one in found] == [1] * case


def test_stored_bytes_that_end_their_process_can_be_tried_again(tmp_path):
    (tmp_path / "crash-1").write_bytes(b"\0ab")
    plan = Plan("encode", Setting(tokenizers=(GPT2,)), files=(str(tmp_path / "crash-1"),))
    campaign = Campaign(plan, Store.open(tmp_path), lambda _: None)
    campaign._keep(0, campaign._drawn(0), Found("answer", "crash", "exit code -11"))
    (found,) = campaign.store.findings.values()
    assert found.case == {"index": 0, "bytes": "006162", "tokenizers": [GPT2]}
    assert main(["replay", str(campaign.store.place(found))]) == 0  # these bytes are harmless


def test_an_atheris_that_is_not_there_is_an_engine_down(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "_atheris", lambda *_: 3)
    assert main(["fuzz", "vocab-bin", "--guided", "--count", "5", "--state", str(tmp_path)]) == 3


def test_a_merge_that_keeps_nothing_leaves_the_corpus(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(fuzz, "_atheris", lambda *_: 0)
    assert main(["fuzz", "vocab-bin", "--mode", "prune", "--state", str(tmp_path)]) == 1
    assert list((tmp_path / "corpus").iterdir())
    assert "stays as it is" in capsys.readouterr().err


def test_a_target_can_be_started_by_its_launcher(tmp_path):
    """libFuzzer does so to merge."""
    (tmp_path / "a target.py").write_text("import sys; print(sys.argv[1:])")
    name = coverage.launcher(str(tmp_path), tmp_path / "a target.py")
    told = subprocess.run([name, "-runs=1", "a b"], capture_output=True, check=True)
    assert told.stdout.decode().strip() == "['-seeds=0', '-runs=1', 'a b']"


@pytest.mark.nightly
def test_a_corpus_is_pruned_by_atheris(tmp_path, capfd):
    assert main(["fuzz", "vocab-bin", "--mode", "prune", "--state", str(tmp_path)]) == 0
    before, left = map(int, re.findall(r"corpus of (\d+) files, (\d+) left", capfd.readouterr().out)[0])
    assert 0 < left == len(list((tmp_path / "corpus").iterdir())) < before


def test_pruning_keeps_what_the_merge_kept(tmp_path, monkeypatch, capsys):
    def merged(_, _words, __):
        (tmp_path / "corpus.pruned" / "kept").write_bytes(b"1")
        return 0

    monkeypatch.setattr(fuzz, "_atheris", merged)
    assert main(["fuzz", "vocab-bin", "--mode", "prune", "--state", str(tmp_path)]) == 0
    assert [path.name for path in (tmp_path / "corpus").iterdir()] == ["kept"]
    assert "1 left" in capsys.readouterr().out
