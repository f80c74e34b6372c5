"""The files for running on fuzzing infrastructure: built into a scratch folder, and every target run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from tokassay import data
from tokassay.fuzzing.coverage import plant
from tokassay.fuzzing.sharing import database
from tokassay.fuzzing.target import programs

ROOT = data.root()


def test_seeds_are_planted_once(tmp_path):
    made = plant(programs()["vocab-bin"], tmp_path)
    assert made
    assert plant(programs()["vocab-bin"], tmp_path) == []


def test_project_and_workflows_are_yaml():
    project = yaml.safe_load((ROOT / "fuzz" / "cluster" / "project.yaml").read_text())
    assert project["language"] == "python"
    for name in ("fuzz-code-change", "fuzz-nightly", "cluster-fuzz-lite"):
        assert yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())["jobs"]


def test_a_folder_is_a_hypothesis_database(tmp_path):
    with database(str(tmp_path / "shared")) as shared:
        shared.save(b"key", b"value")
    with database(str(tmp_path / "shared")) as again:
        assert set(again.fetch(b"key")) == {b"value"}


@pytest.mark.nightly
def test_a_redis_server_is_a_hypothesis_database(tmp_path):
    """Two machines, one server: what one saves the other fetches. Debian: redis-server; pip: redis."""
    socket = tmp_path / "redis.sock"
    words = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--dir", str(tmp_path), "--save", ""]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not socket.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        with database(f"unix://{socket}") as one, database(f"unix://{socket}") as other:
            one.save(b"key", b"value")
            assert set(other.fetch(b"key")) == {b"value"}
    finally:
        server.terminate()
        server.wait(20)


@pytest.mark.nightly
def test_hypofuzz_runs_the_same_tests(tmp_path):
    """pip: hypofuzz. It goes on for ever, so it is interrupted once it has told that inputs were executed."""
    tests = ["suites/kit/fuzzing/test_targets_hf.py", "-k", "test_hypothesis and (lookup or wire or vocab)"]
    command = str(Path(sys.executable).with_name("hypothesis"))
    words = [command, "fuzz", "-n", "1", "--no-dashboard", "--", *tests]
    given = {**os.environ, "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path)}
    running = subprocess.Popen(words, cwd=ROOT, env=given, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + 300
        while not (told := executed(tmp_path / "examples")) and time.monotonic() < deadline:
            time.sleep(1)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert any("test_hypothesis[" in name and count > 0 for name, count in told.items()), told


def executed(folder):
    """Test → how many inputs HypoFuzz says that it has executed."""
    from hypofuzz.database import HypofuzzDatabase, test_keys_key  # an extra: pip install hypofuzz
    from hypothesis.database import DirectoryBasedExampleDatabase

    stored = DirectoryBasedExampleDatabase(folder)
    reports = HypofuzzDatabase(stored).reports
    found = [report for key in stored.fetch(test_keys_key) for report in reports.fetch(key)]
    counts = {report.nodeid: 0 for report in found}
    for report in found:
        counts[report.nodeid] = max(counts[report.nodeid], sum(report.status_counts.values()))
    return {name: count for name, count in counts.items() if count}


@pytest.mark.nightly
def test_every_built_target_runs_a_thousand_times(tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "*.pyc", ".tokassay-fuzz"))
    out = tmp_path / "out"
    given = {**os.environ, "OUT": str(out), "PYTHON": sys.executable}
    subprocess.run(["bash", str(tree / "fuzz" / "cluster" / "build.sh")], env=given, check=True)
    built = sorted(path.name for path in out.iterdir() if path.is_file() and not path.suffix)
    assert built == sorted(program.path.stem for program in programs().values())
    for name in built:
        ran = subprocess.run(
            [str(out / name), str(tmp_path / f"corpus-{name}"), "-runs=1000"],
            capture_output=True,
            cwd=tmp_path,
            check=False,
        )
        assert ran.returncode == 0, (name, ran.stderr[-2000:])
        assert b"DONE" in ran.stderr
