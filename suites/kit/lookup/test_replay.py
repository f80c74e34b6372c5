"""Calls of the index as data: in this process, and over the wire."""

from __future__ import annotations

import pytest

from tokassay.lookup.replay import replay

CALLS = [
    {"extend": [50, 51, 1, 2, 60], "role": "reference"},
    {"extend": [1, 2, 3, 4, 5, 1, 2], "role": "prompt"},
    {"draft": True},
    {"extend": [3]},
    {"draft": True},
    {"truncate": 6},
    {"draft": True},
    {"reset": True},
    {"extend": [1, 2]},
    {"draft": True},
]


def test_each_draft_call_gives_one_draft():
    found = replay("hf", {"max_ngram": 2, "num_draft": 2}, CALLS)
    assert found == [[3, 4], [4, 5], [2, 3], []]


def test_an_unknown_call_is_told():
    with pytest.raises(ValueError, match=r"unknown call .'undo': 1.: extend, truncate, reset or draft"):
        replay("hf", {}, [{"undo": 1}])
