"""Expectations for a tokenizer that has no golden answers: the oracle is asked now."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import List, Sequence

from tokassay.checks.vector import Vector
from tokassay.vectors.oracle import Oracle, OracleError
from tokassay.vectors.storing import stored

from . import UsageError

# Inputs that mean something for one tokenizer only.
RESTRICTED = ("tokenizer", "files", "file", "tokenizers", "ids")


def answered_now(vectors: Sequence[Vector], name: str, path: Path, sha256: str) -> List[Vector]:
    """The vectors that make sense for any tokenizer, narrowed to `name`, with the oracle's answers.

    Raises UsageError when the oracle is not installed, or answers no text with this file: then there is
    nothing to compare with, and engines that fail as it does must not pass for that.
    """
    general = [vector for vector in vectors if not any(given in vector.given for given in RESTRICTED)]
    return _asked(general, name, path, sha256)


def answered(vectors: Sequence[Vector], name: str, path: str) -> List[Vector]:
    """The vectors with the answers that the oracle gives now on a file. Raises UsageError as above."""
    file = Path(path)
    return _asked(vectors, name, file, hashlib.sha256(file.read_bytes()).hexdigest()) if vectors else []


def _asked(vectors: Sequence[Vector], name: str, path: Path, sha256: str) -> List[Vector]:
    try:
        with Oracle() as oracle:
            found = [_answered(oracle, vector, name, path, sha256) for vector in vectors]
    except OracleError as error:
        hint = "pip install tokassay[hf]"
        raise UsageError(
            f"{path} has no golden answers and the oracle is not at hand: {error}", hint
        ) from error
    if found and all("error" in vector.expect[name] for vector in found):
        raise UsageError(f"{path} cannot be used: the oracle answers no text with it")
    return found


def _answered(oracle: Oracle, vector: Vector, name: str, path: Path, sha256: str) -> Vector:
    row = {"op": vector.op, **vector.given}
    answer = stored(row, oracle.ask(row, path), sha256, full=True)
    return replace(vector, expect={name: answer}, oracle=("tokenizers", oracle.version))
