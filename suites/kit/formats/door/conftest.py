"""The files of golden/formats, and the texts of the suites."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay import data
from tokassay.checks.vector import read_vectors

FORMATS = data.root() / "golden" / "formats"


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """Every text of the encode vectors that is UTF-8, each once."""
    vectors = read_vectors(data.root() / "golden" / "vectors" / "encode")
    found = {v.text for v in vectors if v.text and not any("\ud800" <= c <= "\udfff" for c in v.text)}
    return sorted(found)


@pytest.fixture(scope="session")
def files() -> Path:
    return FORMATS
