"""Where the tokenizers are, and the table at the end.

A tokenizer's folder is looked for below ``TOKASSAY_BENCH_TOKENIZERS`` (a folder that holds
``NAME/tokenizer.json``), else in the cache that ``tokassay zoo fetch`` fills.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Callable, List

import pytest

sys.path.insert(0, str(Path(__file__).parent))

ROWS: List[str] = []


@pytest.fixture
def row() -> Callable[[str], None]:
    """Adds a line to the table."""
    return ROWS.append


@pytest.fixture
def file_of() -> Callable[[str], Path]:
    """The tokenizer.json of a name; the benchmark fails where there is none."""

    def find(name: str) -> Path:
        folder = os.environ.get("TOKASSAY_BENCH_TOKENIZERS")
        path = Path(folder) / name / "tokenizer.json" if folder else _cached(name)
        assert path.is_file(), f"no tokenizer {name}: run `tokassay zoo fetch {name}`"
        return path

    return find


def _cached(name: str) -> Path:
    from tokassay.zoo.fetching import locate

    return locate([name]).present.get(name, Path())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if ROWS:
        terminalreporter.section("ratios: the oracle's time over ours")
        for line in ROWS:
            terminalreporter.write_line(line)
