"""Prompt lookup: a step and a build at growing lengths, as ratios to a dictionary, to tensors, and to a scan.

``TOKASSAY_BENCH_TENSORS=1`` adds the source document's function (torch) and a compiled scan (numba, as vLLM
does it), both of which have to be installed then.
"""

from __future__ import annotations

import os
import random
import runpy
import time
import tracemalloc
from pathlib import Path
from typing import Any, Callable, Sequence

import corpora
import pytest

from tokassay import Tokenizer
from tokassay.lookup import NgramIndex, find_candidate_ids
from tokassay.lookup.occurrences import FirstOccurrences

LENGTHS = (1_000, 16_000, 128_000, 1_000_000)
STEPS = 2_000
TENSORS = bool(os.environ.get("TOKASSAY_BENCH_TENSORS"))


@pytest.fixture(scope="session")
def streams() -> dict[str, list[int]]:
    """Ids of code, and ids that never come again."""
    folder = Path(__file__).resolve().parent.parent / "golden" / "tokenizers" / "qwen"
    tokenizer = Tokenizer.from_file(folder / "tokenizer.json")
    longest = LENGTHS[-1] + STEPS
    ids = tokenizer.encode(corpora.code(6 * corpora.MEGABYTE), add_special_tokens=False).ids[:longest]
    assert len(ids) == longest
    return {"code": ids, "nomatch": list(range(longest))}


def seconds(call: Callable[[], object], rounds: int = 3) -> float:
    """Processor time of the fastest of a few calls."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def dictionary_operation(size: int) -> float:
    """One look-up of a key that is there, in no order, in a dictionary of `size` entries."""
    table = {key << 32: key for key in range(size)}
    keys = [key << 32 for key in random.Random(1).choices(range(size), k=100_000)]
    return seconds(lambda: [table.get(key) for key in keys]) / len(keys)


@pytest.mark.parametrize("name", ["code", "nomatch"])
def test_a_step_costs_the_same_at_any_length(
    benchmark: Any, row: Callable[[str], None], streams: dict[str, list[int]], name: str
) -> None:
    found = {}
    for length in LENGTHS:
        ids = streams[name]
        index = NgramIndex("seed")
        index.extend(ids[:length], role="prompt")
        found[length] = (
            seconds(lambda index=index, ids=ids, length=length: _steps(index, ids, length)) / STEPS
        )
    operation = dictionary_operation(LENGTHS[-1])
    growth, operations = found[LENGTHS[-1]] / found[LENGTHS[0]], found[LENGTHS[-1]] / operation
    each = ", ".join(f"{length}: {value * 1e6:.2f} us" for length, value in found.items())
    row(f"lookup step {name:8} 1M to 1k {growth:5.2f}, dictionary operations {operations:5.1f} ({each})")
    benchmark.extra_info.update(growth=growth, dictionary_operations=operations)
    benchmark.pedantic(lambda: _steps(index, ids, LENGTHS[-1]), rounds=1)
    assert len(index) == LENGTHS[-1]
    index.truncate(LENGTHS[0])
    assert index.draft() == find_candidate_ids(ids[: LENGTHS[0]])


def _steps(index: NgramIndex, ids: Sequence[int], length: int) -> None:
    for token in ids[length : length + STEPS]:
        index.extend((token,))
        index.draft()
    index.truncate(length)


@pytest.mark.parametrize("name", ["code", "nomatch"])
def test_a_bulk_build(
    benchmark: Any, row: Callable[[str], None], streams: dict[str, list[int]], name: str
) -> None:
    ids = streams[name][: LENGTHS[-1]]
    operation = dictionary_operation(LENGTHS[-1])

    def build() -> FirstOccurrences:
        table = FirstOccurrences(3)
        table.extend(ids)
        return table

    spent = seconds(build) / len(ids)
    tracemalloc.start()
    kept = build()
    size = tracemalloc.get_traced_memory()[0] / len(kept.ids)
    tracemalloc.stop()
    told = f"{spent * 1e6:5.2f} us and {size:5.1f} bytes a token, {spent / operation:4.1f} operations"
    row(f"lookup build {name:7} {told}")
    benchmark.extra_info.update(microseconds=spent * 1e6, bytes=size)
    benchmark.pedantic(build, rounds=1)
    assert kept.ids.tolist() == ids


@pytest.mark.skipif(not TENSORS, reason="set TOKASSAY_BENCH_TENSORS=1, with torch and numba installed")
@pytest.mark.parametrize("name", ["code", "nomatch"])
def test_one_lookup_at_128k_against_tensors_and_a_compiled_scan(
    benchmark: Any, row: Callable[[str], None], streams: dict[str, list[int]], name: str
) -> None:
    ids = streams[name][: LENGTHS[2]]
    index = NgramIndex("seed")
    index.extend(ids)
    ours = seconds(lambda: [index.draft() for _ in range(1000)]) / 1000
    tensors, scan = _tensor_lookup(ids), _compiled_scan(ids)
    assert tensors() == index.draft()
    by_tensors, by_scan = seconds(tensors) / ours, seconds(scan) / ours
    row(f"lookup at 128k {name:8} tensors {by_tensors:8.0f}, compiled scan {by_scan:6.0f} times ours")
    benchmark.pedantic(index.draft, rounds=100)


def _tensor_lookup(ids: Sequence[int]) -> Callable[[], list[int]]:
    import torch

    torch.set_num_threads(1)
    golden = Path(__file__).resolve().parent.parent / "golden"
    answer = runpy.run_path(str(golden / "torch_answers.py"))["tensor_answer"]
    history = torch.tensor(ids)
    return lambda: list(answer(history, 3, 10))


def _compiled_scan(ids: Sequence[int]) -> Callable[[], object]:
    """The longest n-gram's leftmost occurrence in one pass: borders of the reversed text, capped at n."""
    import numba
    import numpy as np

    @numba.njit
    def scan(text: Any, longest: int) -> tuple[int, int]:
        reversed_text = text[::-1]
        borders = np.zeros(longest, np.int32)
        size = best = at = 0
        for place in range(1, len(text)):
            while size and reversed_text[size] != reversed_text[place]:
                size = borders[size - 1]
            if reversed_text[size] == reversed_text[place]:
                size += 1
            if size >= best and size:
                best, at = size, place
            if place < longest:
                borders[place] = size
            if size == longest:
                size = borders[longest - 1]
        return best, at

    text = np.array(ids, dtype=np.int32)
    scan(text, 3)
    return lambda: scan(text, 3)
