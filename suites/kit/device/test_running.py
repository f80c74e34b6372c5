"""A whole run in this process: the evidence folder, and what is left where something goes wrong."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import importlib
import io
import json
import os
import subprocess
import sys
import tarfile
import weakref
import zipfile
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import Any, Dict, Iterator, List, Sequence

import pytest

from tokassay import data
from tokassay.checks.engine import Engine, UnavailableError
from tokassay.device import folder as names
from tokassay.device.detaching import BusyError, detach, is_running, locked, status, stop
from tokassay.device.hosted import Host
from tokassay.device.main import ARCHIVE, WHEELS, main, unpacked
from tokassay.device.memory import SELDOM, Memory, give_back
from tokassay.device.reference import reference
from tokassay.device.request import Request, Timing
from tokassay.device.running import Place, run
from tokassay.device.statement import rendered, statement

SMALL = Request(
    run="r1",
    nonce="n1",
    created="2026-01-01T00:00:00Z",
    bundle="0" * 64,
    tokassay="0.1.0",
    tokenizers=("gpt2",),
    levels=("must",),
    vectors=("emoji/*", "lookup-seed/two-*"),
    timing=Timing(samples=4, seconds=0.0, warmup=1),
)


def opened(address: str, _seconds: float) -> Engine:
    if address != "reference":
        raise UnavailableError(f"no engine {address!r} on this board")
    return reference()


@contextlib.contextmanager
def paths_restored() -> Iterator[None]:
    imports, variables = list(sys.path), dict(os.environ)
    try:
        yield
    finally:
        sys.path[:] = imports
        os.environ.clear()
        os.environ.update(variables)


def placed(tmp_path: Path) -> Place:
    bundle = tmp_path / "bundle"
    bundle.write_bytes(b"bundle")
    path = tmp_path / "home" / "runs" / "r1"
    path.mkdir(parents=True)
    (path / names.TRANSCRIPT).touch()
    names.write_json(path / names.REQUEST, SMALL.to_json())
    return Place(path, (data.root(),), bundle)


def series(place: Place) -> Dict[str, Any]:
    return {one["operation"]: one for one in names.read_lines(place.folder / names.SAMPLES)}


def test_a_run_leaves_every_file_with_its_sha256(tmp_path: Path):
    place = placed(tmp_path)
    outcome = run(place, SMALL, opened)
    assert (outcome.exit_code, outcome.reason, outcome.nonce) == (0, "", "n1")
    assert set(outcome.files) == set(names.BOARD_FILES)
    assert outcome.cpu_seconds > 0
    for name, sha256 in outcome.files.items():
        assert names.sha256_of(place.folder / name) == sha256
    assert names.read_json(place.folder / names.OUTCOME)["files"] == outcome.files


def test_samples_are_of_the_ids_that_the_suites_saw(tmp_path: Path):
    place = placed(tmp_path)
    outcome = run(place, SMALL, opened)
    found = series(place)
    assert set(found) == {"load", "encode-short", "encode-long", "decode", "lookup"}
    assert {one["pid"] for one in found.values()} == {outcome.pid}
    seen = {
        one["vector"]: one["digest"]
        for one in names.read_lines(place.folder / names.RESULTS)
        if one.get("suite") == "determinism"
    }
    for operation in ("encode-short", "encode-long", "decode"):
        assert seen[found[operation]["vector"]] == found[operation]["digest"]


def test_device_files_made_on_the_board_are_noted(tmp_path: Path):
    place = placed(tmp_path)
    run(place, SMALL, opened)
    made = names.read_json(place.folder / names.FACTS)["compiled"]["gpt2"]
    assert set(made) == {"vocab.bin", "mtok", "tokenizer.txt"}
    assert made["vocab.bin"]["statistics"]["total entries"] == 1500


def test_the_statement_is_the_same_each_time_and_about_every_file(tmp_path: Path):
    place = placed(tmp_path)
    run(place, SMALL, opened)
    names.write_json(place.folder / names.CONTROLLER, {"host": "local"})
    names.write_json(place.folder / names.HOST, Host("r1", "0.1.0", "3.11", "Linux"))
    found = statement(place.folder)
    assert rendered(found) == rendered(statement(place.folder))
    assert [one["name"] for one in found["subject"]] == list(names.SUBJECTS)
    assert found["predicate"]["result"] == "WARNED"  # no board: emulated by its identity


def test_an_engine_that_does_not_start_is_exit_code_3(tmp_path: Path):
    place = placed(tmp_path)
    assert run(place, replace(SMALL, engines=("exec:./no",)), opened).exit_code == 3


def test_what_the_bundle_does_not_hold_is_said_in_the_outcome(tmp_path: Path):
    place = placed(tmp_path)
    outcome = run(place, replace(SMALL, tokenizers=("klingon",)), opened)
    assert (outcome.exit_code, "klingon" in outcome.reason) == (4, True)


def test_only_those_that_are_to_be_timed_have_samples(tmp_path: Path):
    place = placed(tmp_path)
    both = replace(SMALL, tokenizers=("gpt2", "bert-uncased"), timed=("bert-uncased",))
    assert run(place, both, opened).exit_code == 0
    assert {one["tokenizer"] for one in names.read_lines(place.folder / names.SAMPLES)} == {"bert-uncased"}
    outcome = run(place, replace(both, timed=("bert-typo",)), opened)
    assert outcome.reason.startswith("no tokenizer 'bert-typo' to be timed; known: added-tokens, ")


def test_a_full_disk_is_said_in_the_outcome(tmp_path: Path):
    place = placed(tmp_path)

    def full(_address: str, _seconds: float) -> Engine:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "results.jsonl")

    outcome = run(place, SMALL, full)
    assert (outcome.exit_code, outcome.reason) == (3, "No space left on device: results.jsonl")
    assert names.read_json(place.folder / names.OUTCOME)["reason"] == outcome.reason


def test_a_disk_that_fills_during_the_run_is_said_in_the_outcome(tmp_path: Path):
    place = placed(tmp_path)
    (place.folder / names.RESULTS).symlink_to("/dev/full")
    outcome = run(place, SMALL, opened)
    assert (outcome.exit_code, outcome.reason) == (3, "No space left on device: the evidence folder")
    assert set(outcome.files) >= {names.IDENTITY, names.CONDITIONS}


def test_the_collector_works_seldom_in_a_run_and_as_before_after_it(tmp_path: Path):
    seen: List[int] = []

    def watching(address: str, seconds: float) -> Engine:
        seen.append(gc.get_threshold()[0])
        return opened(address, seconds)

    before = gc.get_threshold()
    assert run(placed(tmp_path), replace(SMALL, timing=None), watching).exit_code == 0
    assert set(seen) == {SELDOM}
    assert gc.get_threshold() == before


@pytest.mark.parametrize("module", [ctypes, None])
def test_what_nobody_holds_goes_before_samples_with_ctypes_or_without(
    module: object, monkeypatch: pytest.MonkeyPatch
):
    class Session:
        def __init__(self) -> None:
            self.itself = self

    gone = weakref.ref(Session())
    monkeypatch.setitem(sys.modules, "ctypes", module)
    give_back()
    assert gone() is None


def test_the_memory_of_run_and_engines_is_told(tmp_path: Path):
    before, during = Memory(), Memory()
    before.look()
    with subprocess.Popen([sys.executable, "-c", "print(); input()"], stdin=PIPE, stdout=PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        during.look()
        child.communicate(b"\n")
    alone, engine = before.children_kib, during.children_kib
    assert engine > alone + 1_000
    assert during.own_kib < during.together_kib <= during.own_kib + engine
    outcome = run(placed(tmp_path), SMALL, opened)
    assert outcome.peak_kib > 10_000
    assert outcome.children_kib == alone  # the reference is in the run's own process
    assert outcome.peak_kib <= outcome.together_kib <= outcome.peak_kib + alone


def seen(patch: pytest.MonkeyPatch, memory: Memory, *, peak: int, holds: int, engines: Sequence[int] = ()):
    """One look at a process that says this of itself and of those that it started."""
    patch.setattr("tokassay.device.memory.peak_kib", lambda: peak)
    patch.setattr("tokassay.device.memory._status", lambda _number: f"VmRSS:\t{holds} kB")
    patch.setattr(
        "tokassay.device.memory._started_by", lambda _parent: [f"VmHWM:\t{kib} kB" for kib in engines]
    )
    memory.look()


def test_memory_at_a_time_is_no_sum_of_peaks_at_different_times(monkeypatch: pytest.MonkeyPatch):
    """This process holds 300 at most, and 100 when it starts one of 70."""
    memory = Memory()
    seen(monkeypatch, memory, peak=300, holds=100)
    seen(monkeypatch, memory, peak=300, holds=100, engines=(70,))
    assert (memory.own_kib, memory.children_kib, memory.together_kib) == (300, 70, 300)


def test_memory_at_a_time_counts_a_peak_between_two_looks(monkeypatch: pytest.MonkeyPatch):
    """It may have been reached while the others lived."""
    memory = Memory()
    seen(monkeypatch, memory, peak=100, holds=100, engines=(70,))
    seen(monkeypatch, memory, peak=300, holds=100, engines=(70,))
    assert memory.together_kib == 370


def test_memory_that_the_kernel_has_not_noted_as_a_peak_yet_is_one(monkeypatch: pytest.MonkeyPatch):
    memory = Memory()
    seen(monkeypatch, memory, peak=300, holds=304)
    seen(monkeypatch, memory, peak=300, holds=304)
    assert (memory.own_kib, memory.together_kib) == (304, 304)


def test_a_request_comes_back_from_its_json():
    assert Request.of(json.loads(json.dumps(SMALL.to_json()))) == SMALL
    assert Request.of(json.loads(json.dumps(replace(SMALL, timing=None).to_json()))).timing is None


def test_a_detached_run_ends_by_itself(tmp_path: Path):
    place = placed(tmp_path)
    home = place.folder.parent.parent
    assert status(place.folder, home)["state"] == "new"
    number = detach(place.folder, home, lambda: os.write(1, b"worked\n") and None)
    os.waitpid(number, 0)
    assert (place.folder / names.TRANSCRIPT).read_text() == "worked\n"
    assert status(place.folder, home)["state"] == "cut off"  # it left no outcome
    names.write_json(place.folder / names.OUTCOME, {})
    assert status(place.folder, home)["state"] == "finished"


def test_a_second_run_is_refused_and_the_first_one_can_be_stopped(tmp_path: Path):
    place = placed(tmp_path)
    home = place.folder.parent.parent
    reading, writing = os.pipe()
    number = detach(place.folder, home, lambda: os.read(reading, 1) and None)
    while not is_running(place.folder, home):
        pass
    with pytest.raises(BusyError, match="r1"):
        locked(home)
    assert main(["run", str(place.folder)], place.bundle, data.root(), opened) == 5
    assert stop(place.folder, home) == number
    os.waitpid(number, 0)
    os.close(writing)
    assert stop(place.folder, home) is None


def add_wheel(tar: tarfile.TarFile, name: str) -> None:
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as target:
        target.writestr(f"{name}.py", "ANSWER = 42")
    info = tarfile.TarInfo(f"{name}-1-py3-none-any.whl")
    info.size = len(wheel.getvalue())
    tar.addfile(info, io.BytesIO(wheel.getvalue()))


def test_archives_are_unpacked_once_and_wheels_can_be_imported(tmp_path: Path):
    archive = tmp_path / "files" / ("a" * 64)
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("golden/tokenizers/real/tokenizer.json", "{}")
    with tarfile.open(tmp_path / "files" / ("b" * 64), "w") as tar:
        for name in ("wheel_of_nobody", "other_wheel_of_nobody"):  # the last one ends as a zip file does
            add_wheel(tar, name)
    request = replace(SMALL, files={ARCHIVE: "a" * 64, WHEELS: "b" * 64})
    with paths_restored():
        (folder,) = unpacked(request, tmp_path)
        assert (folder / "golden/tokenizers/real/tokenizer.json").read_text() == "{}"
        for name in ("wheel_of_nobody", "other_wheel_of_nobody"):
            assert importlib.import_module(name).ANSWER == 42
        archive.unlink()
        assert unpacked(request, tmp_path) == [folder]


def test_a_file_that_came_damaged_is_refused(tmp_path: Path):
    place = placed(tmp_path)
    files = place.folder.parent.parent / "files"
    files.mkdir()
    (files / ("1" * 64)).write_bytes(b"other")
    request = replace(SMALL, files={"engine": "1" * 64})
    names.write_json(place.folder / names.REQUEST, request.to_json())
    assert main(["run", str(place.folder)], place.bundle, data.root(), opened) == 2


@pytest.mark.parametrize("words", [[], ["start"], ["dance", "x"], ["status", "a", "b"]])
def test_anything_else_is_told_the_usage(words: Any, tmp_path: Path):
    place = placed(tmp_path)
    assert main(words, place.bundle, data.root(), opened) == 2
