"""Disks of this machine, as the board's: full before and during a run, and read-only. Root mounts them."""

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

pytestmark = pytest.mark.nightly

FULL = "No space left on device"
Tell = Callable[[str, str], None]
Run = Callable[..., Result]


def mount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", place], check=True)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file system of 2 MiB, less than a bundle, where the board's folder is."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    place = tmp_path / "home" / "disk"
    place.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", place], check=True)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.fixture
def run(small: Board, bundle_file: Path, operator_key: Path, tmp_path: Path) -> Run:
    def conducted(tell: Tell = print, **changes: object) -> Result:
        board = replace(small, home="disk", **changes)
        (found,) = Conductor(tmp_path / "out", operator_key, bundle_file, 60.0, tell).conduct([board])
        return found

    return conducted


def fill(place: Path) -> None:
    """Every byte that is left."""
    with (place / "filler").open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)


def test_a_disk_too_small_is_named_and_the_run_goes_on_when_there_is_room(run: Run, disk: Path):
    found = run()
    assert (found.exit_code, FULL in found.reason) == (ENGINE_DOWN, True), found.reason
    assert "KiB are to be copied" in found.reason
    mount(disk, "size=64m")
    found = run()
    assert (found.exit_code, found.reason) == (0, "")


def test_a_file_system_that_is_read_only_is_named_and_the_run_goes_on_afterwards(run: Run, disk: Path):
    mount(disk, "ro,size=64m")
    found = run()
    assert (found.exit_code, "Read-only file system" in found.reason) == (ENGINE_DOWN, True), found.reason
    assert "name another one with --home" in found.reason
    mount(disk, "rw")
    found = run()
    assert (found.exit_code, found.reason) == (0, "")


def test_a_disk_that_fills_during_a_run_is_told_in_its_outcome(run: Run, disk: Path):
    mount(disk, "size=64m")

    def tell(_board: str, line: str) -> None:
        if line.startswith("running: ") and "pass" in line and not (disk / "filler").exists():
            fill(disk)

    found = run(tell, levels=(), vectors=(), samples=0)
    assert (found.exit_code, FULL in found.reason) == (ENGINE_DOWN, True), found.reason
    assert names.read_json(found.folder / names.OUTCOME)["reason"] == found.reason
    assert (found.folder / names.RESULTS).stat().st_size > 0
