"""The committed golden data has no fault, and enough of everything."""

from __future__ import annotations

import pytest

from tokassay import data, zoo
from tokassay.vectors import linting
from tokassay.vectors.targets import own_targets, zoo_targets


@pytest.fixture(scope="module")
def golden() -> linting.Golden:
    pins = {name: one.sha256 for name, one in zoo.locked().items() if one.kind == "tokenizer.json"}
    return linting.read_golden(data.root(), {**own_targets(data.root()), **zoo_targets(pins, {})})


def test_the_committed_golden_data_has_no_fault(golden: linting.Golden):
    assert list(linting.lint(golden)) == []


def test_every_tokenizer_answers_every_text_and_sweep(golden: linting.Golden):
    for _, row in golden.rows():
        if row["op"] in ("encode", "sweep") and not {"tokenizer", "tokenizers", "file"} & set(row):
            assert set(row["expect"]) == set(golden.targets), row["id"]
