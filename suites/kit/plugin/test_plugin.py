"""The pytest driver: options, deselection, failing on nothing, and the same verdicts as ``tokassay run``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Sequence

import pytest

from tokassay import data
from tokassay.cli import main
from tokassay.report.writing import read_report
from tokassay.verdicts.events import Finding, Footer, Header, ListNote, NotRun, Verdict

ROOT = data.root()
DIGITS = str(ROOT / "golden" / "vectors" / "encode" / "digits.jsonl")
CHOSEN = ("--tokenizer", "word-level-lowercase", "--tokenizer", "pairs-ascending-gpt2", "--vectors", DIGITS)
SUITES = ("encode", "decode", "offsets", "determinism", "stream")


def pytest_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The suites as a user runs them, kit tests left out."""
    folders = [str(ROOT / "suites" / name) for name in SUITES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *folders, *arguments]
    # What the outer run was asked for must not reach the inner one.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def verdicts(folder: Path) -> Sequence[str]:
    """Every verdict of a report as JSON, in a fixed order."""
    events = [
        event for event in read_report(folder) if isinstance(event, (Verdict, NotRun, ListNote, Finding))
    ]
    return sorted(json.dumps(vars(event), default=repr, sort_keys=True) for event in events)


def test_both_drivers_give_the_same_verdicts(tmp_path: Path):
    by_run, by_pytest = tmp_path / "run", tmp_path / "pytest"
    chosen = [*CHOSEN]
    for engine in ("reference", "fake:wrong", "fake:claims", "fake:modest", "fake:raises"):
        chosen += ["--engine", engine]
    for suite in SUITES:
        chosen += ["--suite", suite]
    main(["run", *chosen, "--report", str(by_run)])
    pytest_run(*chosen, "--report", str(by_pytest))
    assert len(verdicts(by_run)) > 300
    assert verdicts(by_pytest) == verdicts(by_run)


def test_both_drivers_take_the_list_of_known_divergences(tmp_path: Path):
    listed = tmp_path / "divergences.toml"
    chosen = [*CHOSEN, "--engine", "fake:wrong", "--suite", "encode"]
    assert main(["run", *chosen, "--write-divergences", str(listed)]) == 1
    old = '[[divergence]]\nvector = "a/b"\nclass = "crash"\nreason = "old"\nexpires = 2020-01-01\n'
    for more, code in (("", 0), (old, 1)):
        listed.write_text(listed.read_text("utf-8") + more, "utf-8")
        given = [*chosen, "--divergences", str(listed)]
        assert main(["run", *given, "--report", str(tmp_path / f"run{code}")]) == code
        done = pytest_run(*given, "--report", str(tmp_path / f"pytest{code}"))
        assert done.returncode == code, done.stdout
        assert "expired on 2020-01-01: old" in done.stdout or not code
        assert verdicts(tmp_path / f"pytest{code}") == verdicts(tmp_path / f"run{code}")
        assert sum('"kind": "known"' in verdict for verdict in verdicts(tmp_path / f"run{code}")) == 26


def test_the_report_of_pytest_has_header_and_footer(tmp_path: Path):
    done = pytest_run("--engine", "reference", *CHOSEN, "--report", str(tmp_path))
    assert done.returncode == 0, done.stdout
    header, *_, footer = read_report(tmp_path)
    assert isinstance(header, Header)
    assert isinstance(footer, Footer)
    assert footer.exit_code == 0


def test_an_item_is_one_cell_and_lists_every_failing_vector():
    done = pytest_run("--engine", "fake:wrong", *CHOSEN, "--suite", "encode")
    assert done.returncode == 1
    assert "test_ids_are_the_oracles[fake:wrong-word-level-lowercase]" in done.stdout
    assert "2 failed" in done.stdout
    assert all(f"digits/{name}" in done.stdout for name in ("seven", "one-to-six"))


def test_suites_that_are_not_selected_are_deselected_not_skipped():
    done = pytest_run("--engine", "reference", *CHOSEN, "--suite", "encode")
    assert "2 passed, 4 deselected" in done.stdout
    assert "skipped" not in done.stdout


def test_the_matrix_is_printed():
    done = pytest_run("--engine", "reference", *CHOSEN, "--suite", "encode")
    assert [line.split() for line in done.stdout.split("\n") if line.startswith("reference")] == [
        ["reference", "word-level-lowercase", "13"],
        ["reference", "pairs-ascending-gpt2", "13"],
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--engine", "reference", "--vectors", DIGITS, "--vector", "nothing/like/this"),
        ("--engine", "fake:absent", *CHOSEN),
        ("--engine", "fake:refuses", *CHOSEN),
        ("--suite", "nonsense", "--vectors", DIGITS),
    ],
)
def test_a_run_that_tries_nothing_fails(arguments: Sequence[str]):
    assert pytest_run(*arguments).returncode != 0


def test_workers_of_xdist_report_to_one_matrix():
    done = pytest_run("--engine", "reference", *CHOSEN, "--suite", "encode", "-n", "2")
    assert done.returncode == 0, done.stdout
    assert "pairs-ascending-gpt2" in done.stdout
