"""The whole path on the stand-in board: bundle, copy, run, fetch, sign, verify. Behind ssh all is aarch64.

Latency here is an emulator's; every folder says so. Needs what .ci/run installs: openssh-server, proot,
gcc-aarch64-linux-gnu, and Debian's mirror the first time.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tokassay.board.conducting import Conductor
from tokassay.board.links import HostKeyError, LinkError, Ssh
from tokassay.board.settings import Board
from tokassay.cli import main
from tokassay.device import folder as names
from tokassay.verdicts.exit_code import ENGINE_DOWN

from .building import CROSS, ECHO, built

pytestmark = pytest.mark.board

BYTES = 400_000_000  # of memory: boards with 1 GB exist
#: One tokenizer of each model type.
EACH_MODEL = ("gpt2", "unigram-ties", "wordpiece-short-words", "word-level-lowercase")


def conducted(boards: list[Board], out: Path, bundle_file: Path, key: Path) -> list[str]:
    results = Conductor(out, key, bundle_file, patience=60.0, tell=print).conduct(boards)
    assert [one.reason for one in results] == [""] * len(boards)
    return [str(one.exit_code) for one in results]


def test_two_boards_at_once_to_verified_evidence(
    standin: Path, board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    boards = [replace(board, name=f"board{n}", host=f"board{n}", tokenizers=EACH_MODEL) for n in (0, 1)]
    assert conducted(boards, tmp_path, bundle_file, operator_key) == ["0", "0"]
    public = operator_key.with_suffix(".pub").read_text()
    (tmp_path / "signers").write_text(f"operator {public}")
    for one in ("board0", "board1"):
        words = ["board", "verify", str(tmp_path / one), "--signers", str(tmp_path / "signers")]
        assert (
            main([*words, "--known-hosts", str(standin / "known_hosts"), "--bundle", str(bundle_file)]) == 0
        )
        assert main([*words, "--latency"]) == 4  # nobody may claim an emulator's latency
        identity = names.read_json(tmp_path / one / names.IDENTITY)
        assert (identity["machine"], identity["missing"]) == ("aarch64", {})
        outcome = names.read_json(tmp_path / one / names.OUTCOME)
        assert outcome["together_kib"] * 1024 < BYTES
    facts = [names.read_json(tmp_path / one / names.FACTS) for one in ("board0", "board1")]
    assert facts[0] == facts[1]
    assert [core["part"] for core in facts[0]["ids"]] == ["0xd0b", "0xd05"]


def test_ids_are_those_of_this_machine(
    board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    here = replace(board, name="here", host="local")
    conducted([board, here], tmp_path, bundle_file, operator_key)
    there, local = (names.read_json(tmp_path / one / names.FACTS) for one in ("board0", "here"))
    assert there["compiled"] == local["compiled"]
    assert there["ids"][0]["ids"] == local["ids"][0]["ids"]


def test_a_c_engine_built_for_aarch64_runs_as_program_and_as_library(
    board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    board = replace(
        board,
        engines=("exec:./echo", "cabi:./echo.so"),
        files=built(CROSS, ECHO, tmp_path),
        suites=("encode", "determinism"),
        vectors=("spaces/*",),
    )
    assert conducted([board], tmp_path, bundle_file, operator_key) == ["1"]  # bytes are not gpt2's ids
    events = [json.loads(line) for line in (tmp_path / "board0" / names.RESULTS).read_text().splitlines()]
    told = dict.fromkeys(("pass", "diverge"), 0)
    for event in events:
        if event.get("suite") == "determinism":
            told[event["kind"]] = told.get(event["kind"], 0) + 1
    assert told["pass"] > 0
    assert set(told) == {"pass", "diverge"}
    assert told["diverge"] == 0
    outcome = names.read_json(tmp_path / "board0" / names.OUTCOME)
    assert outcome["inputs"]["echo"] == names.sha256_of(tmp_path / "echo")


def test_a_bundle_tells_its_version(bundle_file: Path, standin: Path):
    link = Ssh("board1", str(standin / "ssh_config"))
    link.put(bundle_file, "bundle.pyz")
    told = link.run("python3 -I bundle.pyz --version").out
    link.close()
    assert told.startswith("tokassay-board ")


def test_a_changed_host_key_is_refused(standin: Path, tmp_path: Path):
    (tmp_path / "known_hosts").write_text(
        f"{(standin / 'known_hosts').read_text().splitlines()[0].rsplit(' ', 1)[0]} {_other_key(tmp_path)}"
    )
    config = (standin / "ssh_config").read_text().replace(f"{standin}/known_hosts", f"{tmp_path}/known_hosts")
    (tmp_path / "ssh_config").write_text(config)
    link = Ssh("board0", str(tmp_path / "ssh_config"))
    with pytest.raises(HostKeyError, match="another one than before"):
        link.run("true")
    link.close()


def _other_key(folder: Path) -> str:
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "other"]
    subprocess.run(words, check=True)
    return (folder / "other.pub").read_text().split()[1]


def test_a_board_that_is_gone_is_named(standin: Path, board: Board, bundle_file: Path, tmp_path: Path):
    config = (standin / "ssh_config").read_text().replace("Port ", "Port 1 #")
    (tmp_path / "ssh_config").write_text(config)
    gone = replace(board, ssh_config=str(tmp_path / "ssh_config"))
    (found,) = Conductor(tmp_path, None, bundle_file).conduct([gone])
    assert found.exit_code == ENGINE_DOWN
    assert "board0: ssh: connect to host 127.0.0.1" in found.reason


def test_a_reboot_in_the_middle_costs_time_and_nothing_else(
    standin: Path, board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    killed: list[int] = []
    home = standin / "board0" / "home" / "tokassay-board"

    def tell(_board: str, line: str) -> None:
        if line.startswith("running") and not killed:
            (pid,) = home.glob(f"runs/*/{names.PID}")
            killed.append(int(pid.read_text()))
            os.kill(killed[0], signal.SIGKILL)

    (found,) = Conductor(tmp_path, operator_key, bundle_file, patience=60.0, tell=tell).conduct([board])
    assert (found.exit_code, found.reason, len(killed)) == (0, "", 1)


def test_the_parts_are_installed():
    for program in ("proot", "aarch64-linux-gnu-gcc", "ssh", "scp"):
        assert shutil.which(program), f"{program} is missing: see .ci/run"
    assert Path("/usr/sbin/sshd").is_file()
    assert issubclass(HostKeyError, LinkError)
