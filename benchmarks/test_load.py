"""`Tokenizer.from_file` and one text of 200 characters, against the oracle."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Callable

import corpora
import pytest
import tokenizers
from measure import timed

from tokassay import Tokenizer


@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "llama2", "gemma3", "afaan_wordpiece", "mon"])
def test_first_encoding(
    benchmark: Callable[..., object], row: Callable[[str], None], file_of: Callable[[str], Path], name: str
) -> None:
    path, text = file_of(name), corpora.code()[1000:1200]
    Tokenizer.from_file(path)  # modules are imported once per process, not per file
    pairs = [
        (
            timed(lambda: tokenizers.Tokenizer.from_file(str(path)).encode(text).ids)[1],
            timed(lambda: Tokenizer.from_file(path).encode(text).ids)[1],
        )
        for _ in range(5)
    ]
    row(f"{name:16} load     {median(theirs / ours for theirs, ours in pairs):6.2f}")
    benchmark.pedantic(lambda: Tokenizer.from_file(path).encode(text).ids, rounds=3)
