"""The suites' own tests have the same names whenever and wherever they are collected."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def names(hash_seed: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "", "suites"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.nightly
def test_names_depend_on_neither_the_clock_nor_the_order_of_sets():
    """pytest-xdist refuses workers that collected different names, so such a name fails a run by chance."""
    first = names("1")
    time.sleep(1.1)  # the clock inside a gzip header has seconds
    assert len(first) > 5_000
    assert names("2") == first
