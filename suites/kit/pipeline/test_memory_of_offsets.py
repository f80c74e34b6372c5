"""The aligned path holds of a long text what its columns need, and little more."""

from __future__ import annotations

import tracemalloc

import pytest

from tokassay import Tokenizer, data

TEXT = "The quick brown fox jumps over it; na\u00efve caf\u00e9. " * 400
#: For each character, at most; llama2-like makes one piece of the whole text.
BYTES = {"gpt2": 270, "llama2-like": 300}


@pytest.mark.parametrize("name", BYTES)
def test_offsets_of_a_long_text_take_little_memory(name: str):
    tokenizer = Tokenizer.from_file(data.root() / "golden" / "tokenizers" / name / "tokenizer.json")
    assert tokenizer.encode("a b").offsets  # makes the tables
    encoding = tokenizer.encode(TEXT)
    tracemalloc.start()
    try:
        assert len(encoding.offsets) == len(encoding.ids)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < BYTES[name] * len(TEXT)
