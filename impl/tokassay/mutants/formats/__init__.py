"""Files read otherwise: .mtok and tokenizer.txt."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

from tokassay.mutants import Outcome
from tokassay.mutants._area import faults_of, outcomes_of
from tokassay.mutants._fault import Fault

AREA = "formats"
HELP = "reading .mtok and tokenizer.txt"
TOKENIZER = "gpt2"
SUITES = ("format", "encode", "decode")
OPS = ("load", "encode", "decode")


def faults() -> Iterator[Fault]:
    return faults_of(__name__, __path__)


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - the vectors' tokenizers
    """Every fault on the golden files."""
    return outcomes_of(faults(), SUITES, OPS, most)
