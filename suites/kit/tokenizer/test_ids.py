"""Ids on their way out: packed for the memories, and framed by the post-processor."""

from __future__ import annotations

import pytest

from tokassay import Tokenizer
from tokassay.core.description import Description
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.packing import MOST_IDS, pack, unpackers
from tokassay.core.postprocessors.id_frame import IdFrame


@pytest.mark.parametrize("ops", [(), (5,), (None,), (5, None), (None, 5, 6), (None, 5, None)], ids=repr)
def test_a_text_stands_once_or_twice_in_its_frame_or_not_at_all(ops):
    frame = IdFrame(ops, ("",) * len(ops))
    tokenizer = Tokenizer(Description(WordLevel({"a": 1, "b": 2}, "a"), post_processor=frame))
    found = tokenizer.encode("b")
    assert found.ids == [2 if op is None else op for op in ops] == found.columns().ids
    assert tokenizer.encode("b", add_special_tokens=False).ids == [2]


@pytest.mark.parametrize("count", [0, 1, MOST_IDS, MOST_IDS + 1])
def test_unpacked_are_the_ids_that_were_packed(count):
    ids = [2**32 - 1 - index for index in range(count)]
    packed = pack(ids)
    assert list(unpackers[len(packed)](packed)) == ids
    assert len(unpackers) <= MOST_IDS + 1
