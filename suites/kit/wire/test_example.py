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
BUILD, COMPARE, RUN = re.findall(r"^ {4}((?:cc|tokassay) .*)$", PAGE, flags=re.MULTILINE)


def answers():
    """Step (0: before anything is built) → what its block on the page says."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    found = {}
    for section in sections:
        step = re.match(r"STEP=(\d)", section)
        found[int(step.group(1)) if step else 0] = re.findall(
            r"^```\n(.*?)^```$", section, re.DOTALL | re.MULTILINE
        )
    return found


EXIT_CODES = {0: 3, 1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 0}
EXIT_CODES_OF_A_RUN = {6: 1, 7: 0}


def built(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine of a step, in the folder of the page."""
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder)
    shutil.copy(EXAMPLE.parent / "tokassay_engine.h", tmp_path)
    monkeypatch.chdir(folder)
    if step:
        build = shlex.split(BUILD.replace("-DSTEP=1", f"-DSTEP={step}"))
        subprocess.run([*build, "-Wall", "-Wextra", "-Werror"], check=True)


def test_the_page_shows_every_step():
    assert answers().keys() == EXIT_CODES.keys() | EXIT_CODES_OF_A_RUN.keys()


@pytest.mark.parametrize("step", EXIT_CODES)
def test_each_step_says_what_the_page_says(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    built(step, tmp_path, monkeypatch)
    code = cli.main(shlex.split(COMPARE)[1:])
    assert "".join(capsys.readouterr()) == answers()[step][0]
    assert code == EXIT_CODES[step]


@pytest.mark.parametrize("step", EXIT_CODES_OF_A_RUN)
def test_a_run_says_what_the_page_says(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    built(step, tmp_path, monkeypatch)
    code = cli.main(shlex.split(RUN)[1:])
    said, told = (
        re.sub(r"in [\d.]+ s", "in N s", text) for text in (capsys.readouterr().out, answers()[step][-1])
    )
    assert said == told
    assert code == EXIT_CODES_OF_A_RUN[step]


def test_the_last_step_passes_all_that_it_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    built(7, tmp_path, monkeypatch)
    assert cli.main(["run", "--engine", "exec:./engine", "--tokenizer", "tokenizer.json"]) == 0
    assert " unsupported in " in capsys.readouterr().out
