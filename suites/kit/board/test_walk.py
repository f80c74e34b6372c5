"""docs/board.md, command by command, as somebody does who has the page, a wheel and a board: the stand-in."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tokassay import data

pytestmark = [pytest.mark.board, pytest.mark.nightly]

PAGE = data.root() / "docs" / "board.md"
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
ON_THE_BOARD = "# on the board"
STEPS, CARRIED = "# From an unboxed board", "## Without a network"


def blocks(heading: str) -> list[str]:
    """The commands below a heading, block by block."""
    text = PAGE.read_text("utf-8").partition(heading)[2].partition("\n## ")[0]
    return [re.sub("^ +", "", block, flags=re.MULTILINE) for block in BLOCK.findall(text)]


@dataclass(frozen=True)
class User:
    """Somebody with a home of their own, where a board is named rock5b, and an empty virtual environment."""

    folder: Path
    environment: dict[str, str]

    def does(self, block: str) -> str:
        """What a block tells. Raises AssertionError with that where it fails."""
        there = block.startswith(ON_THE_BOARD)
        words = ["ssh", "rock5b", "sh -e"] if there else ["bash", "-e"]
        done = subprocess.run(
            words,
            input=block,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def is_interrupted_at(self, block: str) -> str:
        """What a command tells to whom presses Ctrl-C as soon as the board runs."""
        listening = ["env", "--default-signal=INT"]  # what ran these tests may have been told to ignore it
        process = subprocess.Popen(
            [*listening, "bash", "-c", f"exec {block.strip()}"],
            env=self.environment,
            cwd=self.folder,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        for line in process.stderr:
            if "starting" in line:
                break
        time.sleep(5.0)
        process.send_signal(signal.SIGINT)
        try:
            told = process.communicate(timeout=120)[1]
        finally:
            process.kill()
        assert process.returncode != 0
        return told


@pytest.fixture(scope="module")
def user(standin: Path, tmp_path_factory: pytest.TempPathFactory) -> User:
    """Needs a package index, for what builds a wheel and for what the reports need."""
    folder = tmp_path_factory.mktemp("user")
    _wheels(folder / "wheels")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    config = (standin / "ssh_config").read_text().replace("Host board0", "Host rock5b")
    (folder / "config").write_text(config)
    for name in ("ssh", "scp"):  # they look for the user's own files in the home of the account, not in HOME
        (folder / "venv" / "bin" / name).write_text(
            f'#!/bin/sh\nexec {shutil.which(name)} -F {folder}/config "$@"\n'
        )
        (folder / "venv" / "bin" / name).chmod(0o755)
    (folder / ".ssh").mkdir()
    shutil.copy(standin / "known_hosts", folder / ".ssh" / "known_hosts")
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    environment = {
        **kept,
        "HOME": str(folder),
        "PATH": f"{folder}/venv/bin:{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder / "wheels"),
    }
    return User(folder, environment)


def _wheels(folder: Path) -> None:
    """This checkout as a wheel, and what its extra for reports needs."""
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", folder, data.root()], check=True)
    (wheel,) = folder.glob("tokassay-*.whl")
    subprocess.run([*pip, "download", "-q", "-d", folder, f"{wheel}[report]"], check=True)


def test_the_ten_steps_and_the_way_without_a_network(user: User):
    log, look, governor, install, key, run, verify, report, again = blocks(STEPS)
    for block in (log, look, governor, install, key):
        user.does(block)
    told = user.is_interrupted_at(run)
    assert "runs on boards go on, and the same command fetches them" in told
    assert "rock5b: exit code 0; evidence/rock5b" in user.does(run)
    told = user.does(verify)
    assert told.endswith("verified\n")
    assert "; not for" not in told  # everything of the host was derived again
    assert "cannot be claimed: identity.json: the run was emulated" in told
    assert "pages/release-note.md" in user.does(report)
    user.does(again)
    page = (user.folder / "pages" / "index.html").read_text("utf-8")
    assert "2 verified runs" in page

    bundle, there, back = blocks(CARRIED)
    user.does(bundle)
    user.does("scp -q -r tokassay-board.pyz carried rock5b:")
    user.does(there)
    user.does("scp -q -r rock5b:carried/runs/first carried/runs/")
    told = user.does(back)
    assert "first: exit code 0; evidence-carried" in told
    assert "not compared" not in told
    assert told.endswith("verified\n")
