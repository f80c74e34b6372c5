"""Every suite on every tokenizer, on the stand-in board: what it answers, and in how much memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokassay.board.conducting import Conductor
from tokassay.board.settings import Board
from tokassay.device import folder as names

from .test_standin import BYTES

pytestmark = [pytest.mark.board, pytest.mark.nightly]


def answers(folder: Path) -> set[tuple[str, ...]]:
    """Suite, tokenizer, vector, kind, sha256 of the ids: of every verdict."""
    events = names.read_lines(folder / names.RESULTS)
    fields = ("suite", "tokenizer", "vector", "kind", "digest")
    return {tuple(str(one.get(name, "")) for name in fields) for one in events if one["event"] == "verdict"}


def test_everything_is_answered_as_on_this_machine_in_little_memory(
    board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    there = replace(board, tokenizers=(), levels=(), vectors=(), samples=0)
    here = replace(there, name="here", host="local")
    for one in (there, here):
        (found,) = Conductor(tmp_path, operator_key, bundle_file, tell=print).conduct([one])
        assert (found.exit_code, found.reason) == (0, "")
    assert answers(tmp_path / "board0") == answers(tmp_path / "here")
    facts, local = (names.read_json(tmp_path / one / names.FACTS) for one in ("board0", "here"))
    assert facts["compiled"] == local["compiled"]
    assert [core["ids"] for core in facts["ids"]] == [local["ids"][0]["ids"]] * len(facts["ids"])
    outcome = names.read_json(tmp_path / "board0" / names.OUTCOME)
    assert (outcome["peak_kib"] + outcome["children_kib"]) * 1024 < BYTES
