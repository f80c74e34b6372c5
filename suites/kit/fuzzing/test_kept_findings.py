"""What fuzzing has found once."""

from __future__ import annotations

import struct

import pytest

from tokassay import FormatError, data, formats
from tokassay.lookup import NgramIndex


def test_a_gguf_score_that_is_no_number_is_refused():
    """NaN is in no order: score merging cannot begin."""
    content = (data.root() / "golden" / "formats" / "llama2-like.gguf").read_bytes()
    at = content.index(b"tokenizer.ggml.scores") + len(b"tokenizer.ggml.scores") + 4 + 4 + 8
    broken = content[:at] + struct.pack("<f", float("nan")) + content[at + 4 :]
    with pytest.raises(FormatError, match="not a number"):
        formats.parse(broken)


def test_truncating_mnn_takes_the_new_current_token_out_of_the_table():
    ids = [0, 0, 0, 2, 0, 0, 0, 0, 2, 0]
    grown = NgramIndex("mnn", max_ngram=4, num_draft=5)
    grown.extend(ids, role="prompt")
    grown.draft()
    grown.truncate(9)
    fresh = NgramIndex("mnn", max_ngram=4, num_draft=5)
    fresh.extend(ids[:9], role="prompt")
    assert grown.draft() == fresh.draft()
