"""Files of the zoo for engines: fetched where they are not here, and one that is made of a vocabulary."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable

import pytest

from tokassay import data

sys.path.insert(0, str(data.root()))  # tools/ is no package that is installed

from tools.newest.files import Files


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def file_of(files: Files) -> Callable[[str], Path]:
    """``file_of(name)``: the tokenizer's file, as the findings name it."""
    return files.tokenizer
