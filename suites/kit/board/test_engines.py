"""Engines that fail in the middle of a whole run, and engines of one name; this machine is the board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.conducting import Conductor
from tokassay.board.settings import Board
from tokassay.cli import main
from tokassay.device import folder as names

from .building import ECHO, FAULTS, FAULTY, built


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The board's home."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def of_c(board: Board, source: Path, folder: Path) -> Board:
    """The board with a C engine as a program and as a library."""
    stem = source.stem
    return replace(
        board,
        engines=(f"exec:./{stem}", f"cabi:./{stem}.so"),
        files=built("cc", source, folder),
        suites=("determinism",),
        vectors=("spaces/*",),
        samples=4,
        timeout=2.0,
    )


def results(folder: Path) -> list[dict[str, Any]]:
    return list(names.read_lines(folder / names.RESULTS))


def test_a_crash_and_a_hang_cost_one_case_each_and_the_evidence_holds(
    small: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    board = of_c(small, FAULTY, tmp_path)
    (found,) = Conductor(tmp_path / "out", operator_key, bundle_file).conduct([board])
    assert (found.exit_code, found.reason) == (1, "")
    told: Counter[tuple[str, ...]] = Counter()
    for one in results(found.folder):
        if one["event"] == "verdict" and one["kind"] in ("crash", "timeout"):
            told[one["engine"], one["vector"], one["kind"], one["reason"].split(";")[0]] += 1
    crash, hang = FAULTS
    assert told == {
        case: 1
        for engine in board.engines
        for case in (
            (engine, crash, "crash", "killed by SIGSEGV"),
            (engine, hang, "timeout", "no answer within 2 s"),
        )
    }
    assert any(line == "failed: cabi:./faulty.so/gpt2/determinism" for line in found.told)
    (tmp_path / "signers").write_text(f"operator {operator_key.with_suffix('.pub').read_text()}")
    words = ["board", "verify", str(found.folder), "--signers", str(tmp_path / "signers")]
    assert main([*words, "--bundle", str(bundle_file)]) == 1


def test_engines_of_one_name_go_by_their_addresses_and_sums(
    small: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    board = of_c(small, ECHO, tmp_path)
    (found,) = Conductor(tmp_path / "out", operator_key, bundle_file).conduct([board])
    header, *_ = results(found.folder)
    sums = {one["name"]: one["build"]["sha256"] for one in header["engines"]}
    inputs = names.read_json(found.folder / names.OUTCOME)["inputs"]
    assert sums == {"exec:./echo": inputs["echo"], "cabi:./echo.so": inputs["echo.so"]}
    series = list(names.read_lines(found.folder / names.SAMPLES))
    assert {one["engine"] for one in series} == set(sums)
    assert {one["inputs"] for one in series if one["operation"].startswith(("encode", "decode"))} == {
        "different"
    }


def test_cold_starts_are_of_processes_of_their_own(
    small: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    board = replace(small, suites=("determinism",), cold=2)
    (found,) = Conductor(tmp_path / "out", operator_key, bundle_file).conduct([board])
    series = {one["operation"]: one for one in names.read_lines(found.folder / names.SAMPLES)}
    cold = {name: one for name, one in series.items() if one["inputs"] == "fresh"}
    assert set(cold) == {"start", "cold-tokenizer.json", "cold-mtok", "cold-vocab.bin"}
    assert {(len(one["ns"]), one["warmup"], one["short"]) for one in cold.values()} == {(2, 0, False)}
    assert cold["cold-tokenizer.json"]["digest"] == series["encode-short"]["digest"]
    words = ["board", "verify", str(found.folder), "--bundle", str(bundle_file)]
    assert main(words) == 0
