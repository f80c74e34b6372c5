"""`Tokenizer.from_file` and one text of 200 characters, against the oracle.

Each sample is the first load of a fresh process, the two sides in turns; loads one after the other in
one process are shown beside it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Callable, List, Tuple

import corpora
import loading
import pytest
from measure import timed

SAMPLES = 7
NAMES = ["qwen3", "llama3_1", "llama2", "gemma3", "gptoss", "gpt4o", "deepseek_v3", "claude"]
NAMES += ["afaan_wordpiece", "mon"]
Sample = Tuple[float, float, List[int]]


@pytest.mark.parametrize("name", NAMES)
def test_first_encoding(
    benchmark: Any, row: Callable[[str], None], file_of: Callable[[str], Path], name: str
) -> None:
    path, text = str(file_of(name)), corpora.code()[1000:1200]
    pairs = [(sample("oracle", path, text), sample("ours", path, text)) for _ in range(SAMPLES)]
    assert all(theirs[2] == found[2] for theirs, found in pairs)
    theirs, found = zip(*pairs)
    processor, wall = (median(one[at] for one in found) / median(one[at] for one in theirs) for at in (0, 1))
    again = repeated(path, text)
    row(f"{name:16} load: processor {processor:5.2f}  wall {wall:5.2f}  in one process {again:5.2f}")
    benchmark.extra_info.update(processor=processor, wall=wall, in_one_process=again)
    benchmark.pedantic(lambda: sample("ours", path, text), rounds=1)


def sample(side: str, path: str, text: str) -> Sample:
    """Seconds of processor time, seconds of wall time, ids."""
    command = [sys.executable, str(Path(loading.__file__)), side, path, text]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    processor, wall, ids = json.loads(done.stdout)
    return processor, wall, ids


def repeated(path: str, text: str) -> float:
    """Our time over the oracle's for later loads; letting go of a tokenizer is no part of loading it."""
    sides = (loading.oracle(), loading.ours())

    def taken(load: Callable[[str], Any]) -> float:
        return timed(lambda: [tokenizer := load(path), tokenizer.encode(text).ids])[1]

    pairs = [[taken(load) for load in sides] for _ in range(5)]
    return median(ours for _, ours in pairs) / median(theirs for theirs, _ in pairs)
