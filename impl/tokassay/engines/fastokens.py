"""fastokens: BPE from tokenizer.json."""

from __future__ import annotations

from ._lookalike import open_lookalike
from ._packages import PackageEngine

NAME = "fastokens"
HELP = "fastokens, BPE from a tokenizer.json (package fastokens)"
DISTRIBUTIONS = (NAME,)
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheel. Raises UnavailableError."""
    return open_lookalike(NAME, argument)
