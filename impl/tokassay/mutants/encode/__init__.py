"""Text to ids, broken: one module for each part of the pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

from tokassay.mutants import Outcome
from tokassay.mutants._area import faults_of, outcomes_of
from tokassay.mutants._fault import Fault

AREA = "encode"
HELP = "text to ids: added tokens, normalizers, pre-tokenizers, models, post-processors, offsets"
TOKENIZER = "gpt2"
SUITES = ("encode", "offsets")
OPS = ("encode", "batch")


def faults() -> Iterator[Fault]:
    return faults_of(__name__, __path__)


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - the vectors' tokenizers
    """Every fault on the golden vectors of encoding."""
    return outcomes_of(faults(), SUITES, OPS, most)
