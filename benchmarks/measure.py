"""Ours and the oracle's time for the same texts, in one process, in turns."""

from __future__ import annotations

import gc
import os
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Callable, List, Sequence

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("RAYON_NUM_THREADS", "1")

import tokenizers

from tokassay import Tokenizer

PASSES = 5


@dataclass(frozen=True)
class Times:
    """Seconds of processor time, one entry per pass.

    `first`: the ratio for the first time after loading, tables included; `equal`: the ids are the same.
    """

    ours_cold: List[float]
    ours_warm: List[float]
    hf_cold: List[float]
    hf_warm: List[float]
    first: float
    equal: bool

    @property
    def cold(self) -> float:
        """The oracle's time over ours, empty memories on both sides: above 1 we are faster."""
        return median(self.hf_cold) / median(self.ours_cold)

    @property
    def warm(self) -> float:
        """The same for the second time that the texts are encoded."""
        return median(self.hf_warm) / median(self.ours_warm)


def compare(path: Path, texts: Sequence[str], *, batch: bool = False) -> Times:
    """Cold: tables are built (that is part of loading, and of `first`), memories on both sides are empty.

    `batch`: all texts in one call.
    """
    oracle, ours = oracle_of(path), Tokenizer.from_file(path)

    def worker(side: Any) -> Callable[[], object]:
        if batch:
            return lambda: [one.ids for one in side.encode_batch(texts)]
        return lambda: [side.encode(text).ids for text in texts]

    theirs, mine = worker(oracle), worker(ours)
    oracle.encode("Hello"), ours.encode("Hello")
    (wanted, hf_first), (found, ours_first) = timed(theirs), timed(mine)
    times = Times([], [], [], [], hf_first / ours_first, wanted == found)
    del wanted, found
    for _ in range(PASSES):
        getattr(oracle.model, "_clear_cache", _nothing)()  # WordPiece has no cache
        ours._ids.forget()
        times.hf_cold.append(timed(theirs)[1])
        times.ours_cold.append(timed(mine)[1])
        times.hf_warm.append(timed(theirs)[1])
        times.ours_warm.append(timed(mine)[1])
    return times


def _nothing() -> None:
    """Where there is nothing to empty."""


def oracle_of(path: Path) -> tokenizers.Tokenizer:
    """Without the truncation and padding that the file may hold."""
    oracle = tokenizers.Tokenizer.from_file(str(path))
    oracle.no_truncation()
    oracle.no_padding()
    return oracle


def timed(work: Callable[[], object]) -> tuple[object, float]:
    """The result and the processor time it took."""
    gc.collect()
    start = time.process_time()
    result = work()
    return result, time.process_time() - start
