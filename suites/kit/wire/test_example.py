"""docs/protocol/example: every step is compiled and run, and says what its page says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tokassay import cli

EXAMPLE = Path(__file__).parents[3] / "docs" / "protocol" / "example"
PAGE = (EXAMPLE / "README.md").read_text("utf-8")
BUILD, COMPARE = re.findall(r"^ {4}((?:cc|tokassay) .*)$", PAGE, flags=re.MULTILINE)


def answers():
    """Step (0: before anything is built) → what its block on the page says."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    found = {}
    for section in sections:
        step = re.match(r"STEP=(\d)", section)
        found[int(step.group(1)) if step else 0] = section.partition("```\n")[2].partition("```")[0]
    return found


EXIT_CODES = {0: 3, 1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 0}


def test_the_page_shows_every_step():
    assert answers().keys() == EXIT_CODES.keys()


@pytest.mark.parametrize("step", EXIT_CODES)
def test_each_step_says_what_the_page_says(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder)
    shutil.copy(EXAMPLE.parent / "tokassay_engine.h", tmp_path)
    monkeypatch.chdir(folder)
    if step:
        build = shlex.split(BUILD.replace("-DSTEP=1", f"-DSTEP={step}"))
        subprocess.run([*build, "-Wall", "-Wextra", "-Werror"], check=True)
    code = cli.main(shlex.split(COMPARE)[1:])
    assert "".join(capsys.readouterr()) == answers()[step]
    assert code == EXIT_CODES[step]
