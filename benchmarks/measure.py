"""Ours and the oracle's time for the same texts, in one process, in turns."""

from __future__ import annotations

import gc
import os
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Callable, List, Sequence

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("RAYON_NUM_THREADS", "1")

import tokenizers

from tokassay import Tokenizer

PASSES = 3


@dataclass(frozen=True)
class Times:
    """Seconds of processor time, one entry per pass; `equal`: the ids are the same."""

    ours_cold: List[float]
    ours_warm: List[float]
    hf_cold: List[float]
    hf_warm: List[float]
    equal: bool

    @property
    def cold(self) -> float:
        """The oracle's time over ours, empty memories on both sides: above 1 we are faster."""
        return median(self.hf_cold) / median(self.ours_cold)

    @property
    def warm(self) -> float:
        """The same for the second time that the texts are encoded."""
        return median(self.hf_warm) / median(self.ours_warm)


def compare(path: Path, texts: Sequence[str]) -> Times:
    """Fresh tokenizers for each pass: cold counts all that is built on first use but one short text."""
    times = Times([], [], [], [], equal=True)
    for _ in range(PASSES):
        oracle, ours = oracle_of(path), Tokenizer.from_file(path)
        oracle.encode("Hello"), ours.encode("Hello")
        gc.collect()
        wanted, cold = timed(lambda: [oracle.encode(text).ids for text in texts])  # noqa: B023
        times.hf_cold.append(cold)
        found, cold = timed(lambda: [ours.encode(text).ids for text in texts])  # noqa: B023
        times.ours_cold.append(cold)
        times.hf_warm.append(timed(lambda: [oracle.encode(text).ids for text in texts])[1])  # noqa: B023
        times.ours_warm.append(timed(lambda: [ours.encode(text).ids for text in texts])[1])  # noqa: B023
        if wanted != found:
            return Times(times.ours_cold, times.ours_warm, times.hf_cold, times.hf_warm, equal=False)
    return times


def oracle_of(path: Path) -> tokenizers.Tokenizer:
    """Without the truncation and padding that the file may hold."""
    oracle = tokenizers.Tokenizer.from_file(str(path))
    oracle.no_truncation()
    oracle.no_padding()
    return oracle


def timed(work: Callable[[], object]) -> tuple[object, float]:
    """The result and the processor time it took."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start
