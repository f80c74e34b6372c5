"""The source document's function in its own terms, tensors: thousands of answers are frozen.

With torch installed (extra ``torch``, nightly) the tensors answer again.
"""

from __future__ import annotations

import json
import runpy
from itertools import islice

import pytest

from tokassay import data
from tokassay.lookup import NgramIndex, find_candidate_ids

GOLDEN = data.root() / "golden"
FROZEN = json.loads((GOLDEN / "lookup" / "torch.json").read_bytes())
FREEZER = runpy.run_path(str(GOLDEN / "torch_answers.py"))


def index_answer(ids, max_ngram, num_draft):
    index = NgramIndex("seed", max_ngram, num_draft, strict=True)
    index.extend(ids)
    return index.draft()


def test_at_least_5000_answers_are_frozen_and_most_are_drafts():
    assert FROZEN["seed"] == FREEZER["SEED"]
    assert FROZEN["histories"] == FREEZER["HISTORIES"] >= 5000
    drafts = [find_candidate_ids(*history) for history in islice(FREEZER["histories"](FROZEN["seed"]), 5000)]
    assert sum(map(bool, drafts)) > 2500


@pytest.mark.parametrize("answer", [find_candidate_ids, index_answer])
def test_the_definition_and_the_index_give_what_the_tensors_gave(answer):
    assert list(FREEZER["digests"](answer)) == FROZEN["blocks"]


@pytest.mark.nightly
def test_the_tensors_still_give_it():
    assert list(FREEZER["digests"](FREEZER["tensor_answer"])) == FROZEN["blocks"]


@pytest.mark.nightly
def test_a_history_shorter_than_the_window_is_an_error_in_both():
    with pytest.raises(RuntimeError):
        FREEZER["tensor_answer"]([5, 6, 5], 4, 1)
    with pytest.raises(ValueError, match="shorter than the n-gram of 4"):
        find_candidate_ids([5, 6, 5], 4, 1, strict=True)
