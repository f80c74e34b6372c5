"""Ids to text one by one, broken."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

from tokassay.mutants import Outcome
from tokassay.mutants._area import faults_of, outcomes_of
from tokassay.mutants._fault import Fault

AREA = "stream"
HELP = "ids to text one by one: what is kept, and what is given too early"
TOKENIZER = "gpt2"
SUITES = ("stream",)
OPS = ("stream",)


def faults() -> Iterator[Fault]:
    return faults_of(__name__, __path__)


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - the vectors' tokenizers
    """Every fault on the golden streams."""
    return outcomes_of(faults(), SUITES, OPS, most)
