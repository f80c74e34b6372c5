"""What takes long on the stand-in board: every suite on every tokenizer, and disks that are full."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tokassay.board.conducting import Conductor, Result
from tokassay.board.settings import Board
from tokassay.device import folder as names
from tokassay.verdicts.exit_code import ENGINE_DOWN

from .test_standin import BYTES

pytestmark = [pytest.mark.board, pytest.mark.nightly]

FULL = "No space left on device"
Tell = Callable[[str, str], None]


def conducted(board: Board, out: Path, bundle_file: Path, key: Path, tell: Tell = print) -> Result:
    (found,) = Conductor(out, key, bundle_file, patience=60.0, tell=tell).conduct([board])
    return found


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
        found = conducted(one, tmp_path, bundle_file, operator_key)
        assert (found.exit_code, found.reason) == (0, "")
    assert answers(tmp_path / "board0") == answers(tmp_path / "here")
    facts, local = (names.read_json(tmp_path / one / names.FACTS) for one in ("board0", "here"))
    assert facts["compiled"] == local["compiled"]
    assert [core["ids"] for core in facts["ids"]] == [local["ids"][0]["ids"]] * len(facts["ids"])
    outcome = names.read_json(tmp_path / "board0" / names.OUTCOME)
    assert (outcome["peak_kib"] + outcome["children_kib"]) * 1024 < BYTES


@pytest.fixture
def small_disk(standin: Path) -> Iterator[Path]:
    """A file system of 12 MiB, ``~/small`` on the second board. Needs root."""
    place = standin / "board1" / "home" / "small"
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "none", place], check=True)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def resize(place: Path, mebibytes: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={mebibytes}m", place], check=True)


def fill(place: Path) -> None:
    """Every byte that is left."""
    with (place / "filler").open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)


def test_a_disk_too_small_for_the_bundle_is_named_and_the_run_goes_on_when_there_is_room(
    board: Board, small_disk: Path, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    small = replace(board, host="board1", home="small")
    found = conducted(small, tmp_path, bundle_file, operator_key)
    assert (found.exit_code, FULL in found.reason) == (ENGINE_DOWN, True), found.reason
    resize(small_disk, 64)
    found = conducted(small, tmp_path, bundle_file, operator_key)
    assert (found.exit_code, found.reason) == (0, "")


def test_a_file_system_that_is_read_only_is_named_and_the_run_goes_on_when_it_can_be_written(
    board: Board, small_disk: Path, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    subprocess.run(["mount", "-o", "remount,ro,size=64m", small_disk], check=True)
    small = replace(board, host="board1", home="small")
    found = conducted(small, tmp_path, bundle_file, operator_key)
    assert (found.exit_code, "Read-only file system" in found.reason) == (ENGINE_DOWN, True), found.reason
    assert "name another one with --home" in found.reason
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    found = conducted(small, tmp_path, bundle_file, operator_key)
    assert (found.exit_code, found.reason) == (0, "")


def test_a_disk_that_fills_during_a_run_is_told_in_its_outcome(
    board: Board, small_disk: Path, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    resize(small_disk, 64)
    told: list[str] = []

    def tell(_board: str, line: str) -> None:
        told.append(line)
        if line.startswith("running") and not (small_disk / "filler").exists():
            fill(small_disk)

    long = replace(board, host="board1", home="small", levels=(), vectors=())
    found = conducted(long, tmp_path, bundle_file, operator_key, tell)
    assert (found.exit_code, FULL in found.reason) == (ENGINE_DOWN, True), (found.reason, told)
    assert names.read_json(found.folder / names.OUTCOME)["reason"] == found.reason
    assert (found.folder / names.RESULTS).stat().st_size > 0
