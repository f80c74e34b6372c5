"""The plain loop of fuzz targets: the reference and the oracle beside the oracle alone, on the same kinds.

Both loops draw their cases, and no case twice, so that no side remembers a text. Processor time.
"""

from __future__ import annotations

import random
import time
from itertools import count
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import pytest

from tokassay import data
from tokassay.fuzzing.material import Material
from tokassay.fuzzing.running import Voices
from tokassay.fuzzing.target import Case, Setting, programs
from tokassay.fuzzing.texts import kinds
from tokassay.fuzzing.worker import case_seed

NAMES = ("gpt2", "llama3", "qwen", "deepseek", "bert-uncased", "t5", "gemma")
SEED = 20261130
CASES, WARM, TURNS = 1_000, 5_000, 5
Draw = Callable[[random.Random], Case]


def rate(draw: Draw, check: Callable[[Case], object], numbers: Iterator[int], cases: int = CASES) -> float:
    """Cases per second."""
    chance = random.Random(0)
    start = time.process_time()
    for _ in range(cases):
        chance.seed(case_seed(SEED, next(numbers)))
        check(draw(chance))
    return cases / (time.process_time() - start)


def draws(target: Any, path: str) -> Dict[str, Draw]:
    """What the target draws, and its two kinds by themselves."""
    material: Material = target.files.material(path)
    makers, voices = tuple(kinds().values()), Voices.of(material)
    about = {"tokenizer": path, "special": True, "whole": False}
    return {
        "target": target.draw,
        "odd": lambda chance: {**about, "text": chance.choice(makers)(chance, material)},
        "running": lambda chance: {**about, "text": voices.text(chance)},
    }


@pytest.mark.parametrize("name", NAMES)
def test_encode_beside_the_oracle_alone(benchmark: Any, row: Callable[[str], None], name: str) -> None:
    path = str(data.root() / "golden" / "tokenizers" / name / "tokenizer.json")
    target: Any = programs()["encode"].open(Setting(tokenizers=(path,)))
    ask, numbers = target.files.loader.file(path).witness_ids, count()
    for kind, draw in draws(target, path).items():
        rate(draw, target.check, numbers, WARM)
        turns = [
            (rate(draw, target.check, numbers), rate(draw, lambda case: ask(case["text"], True), numbers))
            for _ in range(TURNS)
        ]
        both, alone = max(turn[0] for turn in turns), max(turn[1] for turn in turns)
        row(f"{name:13} {kind:8} {both:,.0f}/s, the oracle alone {alone:,.0f}/s: {both / alone:.2f}")
    assert all(target.check(target.draw(random.Random(number))) is None for number in range(100))
    benchmark.pedantic(lambda: rate(target.draw, target.check, numbers), rounds=1)


def test_random_tokenizers(benchmark: Any, row: Callable[[str], None], tmp_path: Path) -> None:
    target, numbers = programs()["random-tokenizer"].open(Setting(scratch=str(tmp_path))), count()
    rate(target.draw, target.check, numbers, 500)
    best = max(rate(target.draw, target.check, numbers, 500) for _ in range(3))
    row(f"random tokenizers {best:,.0f}/s")
    benchmark.pedantic(lambda: rate(target.draw, target.check, numbers, 100), rounds=1)
