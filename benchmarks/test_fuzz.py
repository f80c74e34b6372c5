"""The plain loop of fuzz targets: the reference and the oracle beside the oracle alone, on the same kinds.

Both loops draw their cases in batches, as a campaign does, and no case twice: no side remembers a text.
Processor time; the loops take turns.
"""

from __future__ import annotations

import random
import statistics
import time
from itertools import count
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import pytest

from tokassay import data
from tokassay.fuzzing.batches import MOST, answers, by_tokenizer
from tokassay.fuzzing.material import Material
from tokassay.fuzzing.running import Voices
from tokassay.fuzzing.sides import Sides
from tokassay.fuzzing.target import Case, Setting, programs
from tokassay.fuzzing.texts import kinds
from tokassay.fuzzing.worker import case_seed

NAMES = ("gpt2", "llama3", "qwen", "deepseek", "bert-uncased", "t5", "gemma")
LARGE = ("qwen3", "llama3_1")  # of the zoo
SEED = 20261130
WARM, TURNS = 20, 7  # batches, pairs of measurements
Draw = Callable[[random.Random], Case]


def rate(
    draw: Draw, check: Callable[[List[Case]], object], numbers: Iterator[int], batches: int = 4
) -> float:
    """Cases per second."""
    chance = random.Random(0)
    start = time.process_time()
    for _ in range(batches):
        cases = []
        for _ in range(MOST):
            chance.seed(case_seed(SEED, next(numbers)))
            cases.append(draw(chance))
        check(cases)
    return batches * MOST / (time.process_time() - start)


def alone(sides: Sides) -> Callable[[List[Case]], object]:
    """What the oracle does of a batch."""

    def check(cases: List[Case]) -> object:
        for questions in by_tokenizer(cases).values():
            answers(sides.witness_ids, questions, lambda _: None)
        whole = [sides.witness.encode(case["text"]) for case in cases if case["whole"]]
        return [[list(getattr(one, name)) for name in sides.columns] for one in whole]

    return check


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


@pytest.mark.parametrize("name", NAMES + LARGE)
def test_encode_beside_the_oracle_alone(
    benchmark: Any, row: Callable[[str], None], file_of: Callable[[str], Path], name: str
) -> None:
    own = data.root() / "golden" / "tokenizers" / name / "tokenizer.json"
    path = str(file_of(name) if name in LARGE else own)
    target: Any = programs()["encode"].open(Setting(tokenizers=(path,)))
    sides, numbers = target.files.loader.file(path), count()

    def both(cases: List[Case]) -> object:
        return target.check_all(cases, lambda _: None)

    for kind, draw in draws(target, path).items():
        rate(draw, both, numbers, WARM)
        turns = [(rate(draw, both, numbers), rate(draw, alone(sides), numbers)) for _ in range(TURNS)]
        two, one = (statistics.median(rates) for rates in zip(*turns))
        row(f"{name:13} {kind:8} {two:,.0f}/s, the oracle alone {one:,.0f}/s: {two / one:.2f}")
    assert target.check_all([target.draw(random.Random(number)) for number in range(100)], id) == [None] * 100
    benchmark.pedantic(lambda: rate(target.draw, both, numbers), rounds=1)


def test_random_tokenizers(benchmark: Any, row: Callable[[str], None], tmp_path: Path) -> None:
    target, numbers = programs()["random-tokenizer"].open(Setting(scratch=str(tmp_path))), count()

    def check(cases: List[Case]) -> object:
        return [target.check(case) for case in cases]

    rate(target.draw, check, numbers, 2)
    best = max(rate(target.draw, check, numbers, 2) for _ in range(3))
    row(f"random tokenizers {best:,.0f}/s")
    benchmark.pedantic(lambda: rate(target.draw, check, numbers, 1), rounds=1)
