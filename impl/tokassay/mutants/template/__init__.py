"""Chat templates rendered otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

from tokassay.checks.engine import UnavailableError
from tokassay.mutants import Outcome
from tokassay.mutants._area import faults_of, outcomes_of
from tokassay.mutants._fault import Fault

AREA = "template"
HELP = "chat templates: settings, values, helpers, what a template is given, Jinja's own constructs"
TOKENIZER = "gpt2"
SUITES = ("template",)
OPS = ("template",)


def faults() -> Iterator[Fault]:
    """Raises UnavailableError without jinja2."""
    try:
        yield from faults_of(__name__, __path__)
    except ModuleNotFoundError as error:
        reason = f"mutants of chat templates need the package {error.name}"
        raise UnavailableError(reason, "pip install tokassay[chat]") from error


def outcomes(path: Path, most: int = 0) -> Iterator[Outcome]:  # noqa: ARG001 - the vectors' templates
    """Every fault on the golden templates."""
    return outcomes_of(faults(), SUITES, OPS, most)
