"""The options of ``tokassay run`` for engines in a child process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokassay import cli

FAKES = Path(__file__).parent / "fakes"
FEW = ["--tokenizer", "roberta", "--suite", "encode", "--vector", "bug-encode/*"]


def ran(capsys: pytest.CaptureFixture[str], program: str, *options: str):
    """Exit code and output of a run on one fake."""
    code = cli.main(["run", "--engine", f"exec:{sys.executable} {FAKES / program}", *FEW, *options])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def test_a_time_limit_and_no_restart_end_the_engine(capsys: pytest.CaptureFixture[str]):
    code, said = ran(capsys, "slow.py 20", "--timeout", "0.2", "--restarts", "0")
    assert code == 3
    assert "used up its 0 restarts; the last time: no answer within 0.2 s" in said


def test_a_memory_limit_is_told_with_the_crash(capsys: pytest.CaptureFixture[str]):
    code, said = ran(capsys, "leaks_memory.py", "--memory", "400")
    assert code == 1
    assert "address space limited to 400 MiB" in said


def test_an_engine_that_does_not_start_is_exit_code_3(capsys: pytest.CaptureFixture[str]):
    code, said = ran(capsys, "dies_at_handshake.py")
    assert code == 3
    assert "ended with exit code 1; stderr: no licence found" in said


def test_validate_checks_every_message(capsys: pytest.CaptureFixture[str]):
    code, said = ran(capsys, "right.py", "--validate")
    assert code == 1
    assert "diverge" in said
    assert "schema" not in said
