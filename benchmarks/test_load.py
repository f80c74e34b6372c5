"""`Tokenizer.from_file` and one text of 200 characters, against the oracle."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any, Callable

import corpora
import pytest
import tokenizers
from measure import timed

from tokassay import Tokenizer


@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "llama2", "gemma3", "afaan_wordpiece", "mon"])
def test_first_encoding(
    benchmark: Any, row: Callable[[str], None], file_of: Callable[[str], Path], name: str
) -> None:
    path, text = file_of(name), corpora.code()[1000:1200]
    Tokenizer.from_file(path)  # modules are imported once per process, not per file
    oracle, ours = tokenizers.Tokenizer.from_file, Tokenizer.from_file
    pairs = [(_seconds(oracle, path, text), _seconds(ours, path, text)) for _ in range(5)]
    row(f"{name:16} load     {median(theirs / ours for theirs, ours in pairs):6.2f}")
    ids = benchmark.pedantic(lambda: Tokenizer.from_file(path).encode(text).ids, rounds=3)
    assert ids == oracle(str(path)).encode(text).ids


def _seconds(load: Callable[[str], tokenizers.Tokenizer], path: Path, text: str) -> float:
    """The tokenizer is kept until the time is taken: letting go of it is no part of loading."""
    return timed(lambda: [tokenizer := load(str(path)), tokenizer.encode(text).ids])[1]
