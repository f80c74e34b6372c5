"""Every suite on every tokenizer, on the stand-in board: what it answers, and in how much memory."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.conducting import Conductor
from tokassay.board.settings import EACH_MODEL, Board
from tokassay.device import folder as names
from tokassay.device.identity import PARTS
from tokassay.device.request import COLD_SAMPLES, SAMPLES, Timing
from tokassay.device.samples import DIFFERENT, FRESH, SAME, WARM

from .test_standin import BYTES

pytestmark = [pytest.mark.board, pytest.mark.nightly]


def answers(folder: Path) -> set[tuple[str, ...]]:
    """Suite, tokenizer, vector, kind, sha256 of the ids: of every verdict."""
    events = names.read_lines(folder / names.RESULTS)
    fields = ("suite", "tokenizer", "vector", "kind", "digest")
    return {tuple(str(one.get(name, "")) for name in fields) for one in events if one["event"] == "verdict"}


def assert_measured(folder: Path) -> None:
    """Samples as the real run takes them: of one tokenizer of each model type, on both kinds of core."""
    series = list(names.read_lines(folder / names.SAMPLES))
    warm = [one for one in series if one["inputs"] != FRESH]
    cases = {(one["tokenizer"], one["part"], one["operation"]) for one in warm}
    operations = [name for name in WARM if name != "lookup"]
    wanted = {(name, part, what) for name in EACH_MODEL for part in PARTS for what in operations}
    assert cases == wanted | {("gpt2", part, "lookup") for part in PARTS}
    least = {SAME: SAMPLES, DIFFERENT: SAMPLES, FRESH: COLD_SAMPLES}
    assert all(len(one["ns"]) >= least[one["inputs"]] or one["short"] for one in series)
    assert {one["tokenizer"] for one in series if one["operation"].startswith("cold-")} == {"gpt2"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The board that is this machine has a home of its own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()


def shown(outcome: Mapping[str, Any]) -> str:
    held = ", ".join(f"{name} {outcome[f'{name}_kib']}" for name in ("peak", "children", "together"))
    took = f"{outcome['seconds']:.0f} s by the clock, {outcome['cpu_seconds']:.0f} s of processor time"
    return f"\nthe run on the stand-in board: {took}; KiB: {held}\n"


@pytest.mark.usefixtures("home")
def test_everything_is_answered_as_on_this_machine_in_little_memory(
    board: Board,
    bundle_file: Path,
    operator_key: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    measured = Timing()
    there = replace(board, tokenizers=(), levels=(), vectors=(), warmup=measured.warmup, cold=measured.cold)
    there = replace(there, samples=measured.samples, seconds=measured.seconds)
    here = replace(there, name="here", host="local", samples=0)
    for one in (there, here):
        (found,) = Conductor(tmp_path, operator_key, bundle_file, tell=print).conduct([one])
        assert (found.exit_code, found.reason) == (0, "")
    assert_measured(tmp_path / "board0")
    assert answers(tmp_path / "board0") == answers(tmp_path / "here")
    facts, local = (names.read_json(tmp_path / one / names.FACTS) for one in ("board0", "here"))
    assert facts["compiled"] == local["compiled"]
    assert [core["ids"] for core in facts["ids"]] == [local["ids"][0]["ids"]] * len(facts["ids"])
    outcome = names.read_json(tmp_path / "board0" / names.OUTCOME)
    assert outcome["together_kib"] * 1024 < BYTES
    with capsys.disabled():
        sys.stdout.write(shown(outcome))
    host = names.read_json(tmp_path / "board0" / names.HOST)
    summary = names.read_json(tmp_path / "board0" / names.STATEMENT)["predicate"]["tokassay"]["summary"]
    assert (host["answers"], host["ids"], host["compiled"]) == (
        summary["answers"],
        summary["ids"],
        facts["compiled"],
    )
    assert (host["missing"], summary["differing"]) == ({}, [])
