"""``gpt-tokenizer``: the npm package of that name, in Node; its encodings are built in."""

from __future__ import annotations

from tokassay.checks.engine import AddressError

from ._node import Package, start_node
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
    """The package at its pinned version. Raises UnavailableError."""
    if argument:
        raise AddressError(f"{NAME} takes no argument, got {argument!r}")
    return start_node(NAME, PACKAGES, limits)
