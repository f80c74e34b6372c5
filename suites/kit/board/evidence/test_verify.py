"""A folder that nobody touched is verified, and says what holds of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokassay.board.verifying import EvidenceError, Trust, verified
from tokassay.device import folder as names


def refused(folder: Path, trust: Trust) -> list[str]:
    with pytest.raises(EvidenceError) as caught:
        verified(folder, trust)
    return [str(problem) for problem in caught.value.problems]


def test_a_whole_folder_is_verified(good: Path, maker: Any):
    found = verified(good, maker.trust)
    assert (found.signer, found.summary["result"], found.exit_code) == ("operator@example", "PASSED", 0)
    assert not found.unclaimable
    assert not found.findings


def test_cores_are_not_compared_where_the_determinism_suite_was_not_asked_for(maker: Any):
    folder = maker.make("encode-only", suites=("encode",))
    cores = json.loads((folder / names.FACTS).read_bytes())["ids"]
    assert [core["ids"] for core in cores] == [{}, {}]
    assert verified(folder, maker.trust)
