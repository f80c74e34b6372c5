"""Inputs that make careless algorithms quadratic, at 250 KB, 500 KB and 1 MB."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import corpora
import pytest
from measure import oracle_of, timed

from tokassay import Tokenizer

STEP = 250_000
INPUTS: dict[str, Callable[[int], str]] = {
    "one letter": lambda size: "a" * size,
    "spaces": lambda size: " " * size,
    "digits": lambda size: "0123456789" * (size // 10),
    "half a special token": lambda size: "<|im_start" * (size // 10),
    "combining marks": lambda size: "\u0301" * (size // 2),
    "line ends": lambda size: "\n" * size,
    "equals signs": lambda size: "=" * size,
    "one Chinese character": lambda size: "中" * (size // 3),
    "no white space": corpora.spaceless,
}


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "llama2", "gemma3"])
def test_growth(
    benchmark: Callable[..., object],
    row: Callable[[str], None],
    file_of: Callable[[str], Path],
    name: str,
    kind: str,
) -> None:
    seconds = []
    for count in (1, 2, 4):
        tokenizer = Tokenizer.from_file(file_of(name))
        found, taken = timed(lambda: tokenizer.encode(INPUTS[kind](count * STEP)).ids)  # noqa: B023
        seconds.append(taken)
    wanted, oracle_taken = timed(lambda: oracle_of(file_of(name)).encode(INPUTS[kind](4 * STEP)).ids)
    assert found == wanted
    shown = " ".join(f"{taken:.2f}" for taken in seconds)
    row(f"{name:8} {kind:22} {shown} s, the oracle {oracle_taken:.2f} s")
    benchmark.pedantic(lambda: tokenizer.encode(INPUTS[kind](STEP)).ids, rounds=1)
