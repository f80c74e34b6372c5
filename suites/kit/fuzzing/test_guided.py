"""Coverage-guided runs: what surrounds atheris, which has no part in the default tests."""

from __future__ import annotations

import sys

import pytest

from tokassay.cli import fuzz, main
from tokassay.fuzzing import coverage
from tokassay.fuzzing.target import programs

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


def test_an_atheris_that_is_not_there_is_an_engine_down(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "_atheris", lambda *_: 3)
    assert main(["fuzz", "vocab-bin", "--guided", "--count", "5", "--state", str(tmp_path)]) == 3


def test_pruning_keeps_what_the_merge_kept(tmp_path, monkeypatch, capsys):
    def merged(_, _words, __):
        (tmp_path / "corpus.pruned" / "kept").write_bytes(b"1")
        return 0

    monkeypatch.setattr(fuzz, "_atheris", merged)
    assert main(["fuzz", "vocab-bin", "--mode", "prune", "--state", str(tmp_path)]) == 0
    assert [path.name for path in (tmp_path / "corpus").iterdir()] == ["kept"]
    assert "1 left" in capsys.readouterr().out
