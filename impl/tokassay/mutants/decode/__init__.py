"""Ids to text, broken."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

from tokassay.mutants import Outcome
from tokassay.mutants._area import faults_of, outcomes_of
from tokassay.mutants._fault import Fault

AREA = "decode"
HELP = "ids to text: special tokens, decoders, bytes that are not UTF-8"
TOKENIZER = "gpt2"
SUITES = ("decode",)
OPS = ("encode", "decode")


def faults() -> Iterator[Fault]:
    return faults_of(__name__, __path__)


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - the vectors' tokenizers
    """Every fault on the golden vectors of decoding."""
    return outcomes_of(faults(), SUITES, OPS, most)
