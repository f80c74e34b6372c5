"""Ways to a board and what may run there: a jump host, a board's key, cores that disagree, real wheels."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.conducting import Conductor, Result
from tokassay.board.links import Ssh
from tokassay.board.settings import Board
from tokassay.cli import main
from tokassay.device import folder as names

from .building import CROSS, FAULTS, FAULTY, built

pytestmark = pytest.mark.board

WHEELS = {"hf": ("tokenizers==0.23.3",), "mnn": ("mnn==3.6.1", "numpy")}
AFFINE = """
import os
class Engine:
    def __init__(self, path): pass
    def encode(self, text): return [*text.encode(), *os.sched_getaffinity(0)]
    def decode(self, ids): return bytes(ids[:-1]).decode("utf-8", "replace")
"""


def conducted(board: Board, out: Path, bundle: Path, key: Path | None = None) -> Result:
    (found,) = Conductor(out, key, bundle, patience=60.0, tell=print).conduct([board])
    assert found.reason == ""
    return found


def verdicts(found: Result) -> list[dict[str, Any]]:
    rows = names.read_lines(found.folder / names.RESULTS)
    return [one for one in rows if one["event"] == "verdict"]


def test_a_jump_host_on_the_way_and_a_key_of_the_board(
    standin: Path, board: Board, bundle_file: Path, tmp_path: Path
):
    config = (standin / "ssh_config").read_text()
    (tmp_path / "ssh_config").write_text(config.replace("Host board0\n", "Host board0\n  ProxyJump board1\n"))
    board = replace(board, ssh_config=str(tmp_path / "ssh_config"), board_key="evidence_key", samples=0)
    link = Ssh("board0", board.ssh_config)
    made = link.run(
        "rm -f evidence_key; ssh-keygen -q -t ed25519 -N '' -f evidence_key; cat evidence_key.pub"
    )
    link.close()
    assert made.code == 0
    (tmp_path / "signers").write_text(f"board0 {made.out.strip()}\n")
    found = conducted(board, tmp_path / "out", bundle_file)
    key = (standin / "board0" / "host_key.pub").read_text()
    (tmp_path / "known_hosts").write_text(f"board0 {key}")  # the board's, not the jump host's
    words = ["board", "verify", str(found.folder), "--signers", str(tmp_path / "signers")]
    assert main([*words, "--known-hosts", str(tmp_path / "known_hosts")]) == 0
    log = (standin / "board1" / "sshd.log").read_text()
    assert "Accepted publickey" in log


def test_ids_that_are_not_the_same_on_every_core_are_told_and_count(
    board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    (tmp_path / "affine.py").write_text(AFFINE)
    engines, files = ("py:affine:Engine",), (str(tmp_path / "affine.py"),)
    board = replace(board, engines=engines, files=files, suites=("determinism",), samples=0)
    found = conducted(board, tmp_path / "out", bundle_file, operator_key)
    assert {one["kind"] for one in verdicts(found)} == {"pass"}
    assert found.exit_code == 1
    (told,) = found.told
    assert told.startswith(
        "differs: facts.json: ids[1].ids.affine:Engine.gpt2: is not the same on every core"
    )


@pytest.mark.nightly
def test_a_crash_and_a_hang_of_an_engine_for_aarch64_cost_one_case_each(
    board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    board = replace(
        board,
        engines=("exec:./faulty", "cabi:./faulty.so"),
        files=built(CROSS, FAULTY, tmp_path),
        suites=("determinism",),
        vectors=("spaces/*",),
        timeout=10.0,
    )
    found = conducted(board, tmp_path / "out", bundle_file, operator_key)
    kinds = Counter((one["engine"], one["vector"], one["kind"]) for one in verdicts(found))
    crash, hang = FAULTS
    wanted = {(engine, *case) for engine in board.engines for case in ((crash, "crash"), (hang, "timeout"))}
    assert {case for case in kinds if case[2] != "pass"} == wanted
    assert found.exit_code == 1
    assert main(["board", "verify", str(found.folder), "--bundle", str(bundle_file)]) == 1


def wheels(folder: Path, *packages: str) -> str:
    """A tar file of the wheels that pip finds for the stand-in's Python."""
    platforms = [f"manylinux{name}_aarch64" for name in ("2014", "_2_17", "_2_27", "_2_28", "_2_31")]
    words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder]
    words += ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311", "--abi", "abi3"]
    words += [word for name in platforms for word in ("--platform", name)]
    subprocess.run([*words, *packages], check=True)
    with tarfile.open(folder / "wheels.tar", "w") as tar:
        for path in sorted(folder.glob("*.whl")):
            tar.add(path, path.name)
    return str(folder / "wheels.tar")


@pytest.mark.nightly
@pytest.mark.parametrize("engine", WHEELS)
def test_a_real_wheel_for_aarch64_answers(
    engine: str, board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path
):
    """Needs a package index."""
    (tmp_path / "wheels").mkdir()
    tar = wheels(tmp_path / "wheels", *WHEELS[engine])
    board = replace(board, engines=(engine,), wheels=tar, suites=("encode",), vectors=("ascii-words/*",))
    found = conducted(board, tmp_path / "out", bundle_file, operator_key)
    kinds = Counter(one["kind"] for one in verdicts(found))
    assert (set(kinds), found.exit_code) == ({"pass"}, 0)


@pytest.mark.nightly
def test_templates_render_as_on_the_host(board: Board, bundle_file: Path, operator_key: Path, tmp_path: Path):
    board = replace(board, templates=True, suites=("template",), levels=(), vectors=(), samples=0)
    found = conducted(board, tmp_path / "out", bundle_file, operator_key)
    kinds = Counter(one["kind"] for one in verdicts(found))
    assert set(kinds) <= {"pass", "not-run"}
    assert kinds["pass"] > 900
    assert found.exit_code == 0
