"""The command line of board runs, on this machine as the board."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from tokassay import __version__
from tokassay.board import bundling
from tokassay.board.conducting import Conductor, Lines
from tokassay.board.settings import Board
from tokassay.cli import board as cli
from tokassay.cli import main
from tokassay.device import folder as names

SELECTION = ["--tokenizer", "gpt2", "--level", "must", "--vector", "emoji/*", "--suite", "encode"]
SELECTION += ["--suite", "determinism", "--samples", "0", "--emulated", "a test"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_run_local_leaves_signed_evidence(bundle_file: Path, operator_key: Path, tmp_path: Path):
    words = ["board", "run", "--local", "--python", sys.executable, "--bundle", str(bundle_file)]
    assert main([*words, *SELECTION, "--key", str(operator_key), "--out", "evidence"]) == 0
    held = {path.name for path in (tmp_path / "evidence" / "local").iterdir()}
    assert held == {*names.SUBJECTS, names.STATEMENT, names.SIGNATURE}


def test_a_run_by_hand_is_imported_and_compared_with_this_host(
    bundle_file: Path,
    operator_key: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    for place in ("cli.board", "board.bundling"):
        monkeypatch.setattr(f"tokassay.{place}.bundle", bundle_file.read_bytes)
    (tmp_path / "engine").write_text("an engine\n")
    words = ["board", "bundle", "b.pyz", "--request", "carried/runs/first", "--file", "engine", *SELECTION]
    assert main(words) == 0
    subprocess.run([sys.executable, "-I", "b.pyz", "run", "carried/runs/first"], check=True)
    assert (tmp_path / "carried/runs/first/work/engine").read_text() == "an engine\n"
    assert main(["board", "import", "carried/runs/first", "--out", "in", "--key", str(operator_key)]) == 0
    assert {path.name for path in (tmp_path / "in").iterdir()} >= set(names.SUBJECTS)
    assert names.read_json(tmp_path / "in" / names.CONTROLLER)["host"] == "local"
    host = names.read_json(tmp_path / "in" / names.HOST)
    assert (set(host["answers"]["reference"]["gpt2"]), host["missing"]) == ({"determinism", "encode"}, {})
    assert capsys.readouterr().out.endswith("first: exit code 0; in\n")
    request = tmp_path / "carried/runs/first" / names.REQUEST
    request.write_text(request.read_text().replace(__version__, "0.0.1"))  # run by an older one
    assert main(["board", "import", "carried/runs/first", "--out", "old"]) == 0
    told = capsys.readouterr().out
    assert "first: not compared: gpt2: bundle: the run was of tokassay 0.0.1, this is " in told


def test_a_series_may_last_longer():
    parser = argparse.ArgumentParser()
    cli.configure(parser)
    (one,) = cli._boards(parser.parse_args(["run", "--local", "--most-seconds", "900"]))
    assert one.timing is not None
    assert (one.timing.samples, one.timing.most_seconds) == (1024, 900.0)


def test_another_run_than_the_one_in_the_folder_is_refused(
    bundle_file: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["board", "run", "--local", "--python", sys.executable, "--bundle", str(bundle_file)]
    words += [*SELECTION, "--out", "evidence"]
    assert main(words) == 0
    assert main(words) == 0
    assert "local: its evidence is here; for another run name another --out than evidence" in (
        capsys.readouterr().err
    )
    assert main([*words, "--vector", "spaces/*", "--file", str(bundle_file)]) == 3
    told = capsys.readouterr().out
    assert "evidence/local holds a run that was asked for with other vectors, files" in told
    assert "name another --out" in told


def test_a_folder_that_holds_no_whole_run_is_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "half").mkdir()
    assert main(["board", "import", "half", "--out", "in"]) == 2
    assert "half cannot be taken in: " in capsys.readouterr().err


def test_templates_are_rendered_where_they_were_sent(bundle_file: Path, tmp_path: Path):
    words = ["board", "run", "--local", "--python", sys.executable, "--bundle", str(bundle_file)]
    words += ["--tokenizer", "gpt2", "--suite", "template", "--vector", "template-family/*chatml*"]
    words += ["--samples", "0", "--emulated", "a test"]
    for option, kind in (("--with-templates", "pass"), ("--zoo=", "unsupported")):
        folder = tmp_path / kind
        main([*words, *([option] if kind == "pass" else []), "--out", str(folder)])
        rows = names.read_lines(folder / "local" / names.RESULTS)
        assert {one["kind"] for one in rows if one["event"] == "verdict"} == {kind}


def test_a_host_that_cannot_be_reached_is_exit_code_3(bundle_file: Path, capsys: pytest.CaptureFixture[str]):
    Path("config").write_text("Host nowhere\n  HostName 127.0.0.1\n  Port 1\n")
    words = ["board", "run", "--host", "nowhere", "--ssh-config", "config", "--bundle", str(bundle_file)]
    assert main(words) == 3
    assert "nowhere: exit code 3; nowhere: " in capsys.readouterr().out


def test_an_inventory_with_a_mistake_is_usage(capsys: pytest.CaptureFixture[str]):
    Path("boards.toml").write_text("[board.x]\nhots = 'h'")
    assert main(["board", "run", "--inventory", "boards.toml"]) == 2
    assert "board.x.hots is not known" in capsys.readouterr().err


def test_what_a_run_needs_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made: list[int] = []
    monkeypatch.setattr("tokassay.board.conducting.archive", lambda _names: made.append(1) or b"zip")
    board = Board("b", "local", files=("engine",), zoo=("qwen3",), wheels="w.tar")
    for _ in range(2):
        files = dict(Conductor(tmp_path).files(board))
    assert set(files) == {"engine", "wheels.tar", "zoo.zip"}
    assert (made, files["zoo.zip"].read_bytes()) == ([1], b"zip")


def test_off_a_terminal_each_new_line_is_told_once(capsys: pytest.CaptureFixture[str]):
    lines = Lines()
    for line in ("starting", "running: 1 pass", "running: 2 pass", "fetching", "fetching"):
        lines.tell("b", line)
    lines.end()
    assert capsys.readouterr().err == "b: starting\nb: fetching\n"


def test_bundle_prints_the_sha256(
    bundle_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tokassay.cli.board.bundle", bundle_file.read_bytes)
    assert main(["board", "bundle", "b.pyz"]) == 0
    assert bundling.sha256(Path("b.pyz").read_bytes()) in capsys.readouterr().out
