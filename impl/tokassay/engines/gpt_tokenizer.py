"""``gpt-tokenizer``: the npm package of that name, in Node; its encodings are built in."""

from __future__ import annotations

from ._node import Package, chosen, start_node
from .wire import Limits, WireEngine

NAME = "gpt-tokenizer"
HELP = "gpt-tokenizer 4.0.0 in Node: o200k_base, built in (needs node and npm)"
ISOLATED = True
PACKAGES = (
    Package(
        "gpt-tokenizer",
        "4.0.0",
        "sha512-YAWIyzvuVUHEfW7tFfFAxH8qQb+Q3RU9nYOTy7skMNX5qzU6Q8jxTHZLyO56ug1vYvCR7wndzpd3jwD86/mhjQ==",
    ),
)
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The package at its pinned version, or at the one that `argument` says. Raises UnavailableError."""
    return start_node(NAME, chosen(PACKAGES, argument), limits)
