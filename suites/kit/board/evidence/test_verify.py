"""A folder that nobody touched is verified, and says what holds of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tokassay.board.verifying import EvidenceError, Trust, verified


def refused(folder: Path, trust: Trust) -> list[str]:
    with pytest.raises(EvidenceError) as caught:
        verified(folder, trust)
    return [str(problem) for problem in caught.value.problems]


def test_a_whole_folder_is_verified(good: Path, maker: Any):
    found = verified(good, maker.trust)
    assert (found.signer, found.summary["result"], found.exit_code) == ("operator@example", "PASSED", 0)
    assert not found.unclaimable
    assert not found.findings
