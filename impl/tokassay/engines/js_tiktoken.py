"""``js-tiktoken``: the npm package of that name, in Node; its encodings are built in."""

from __future__ import annotations

from ._node import Package, chosen, start_node
from .wire import Limits, WireEngine

NAME = "js-tiktoken"
HELP = "js-tiktoken 1.0.21 in Node: o200k_base, built in (needs node and npm)"
ISOLATED = True
PACKAGES = (
    Package(
        "js-tiktoken",
        "1.0.21",
        "sha512-biOj/6M5qdgx5TKjDnFT1ymSpM5tbd3ylwDtrQvFQSu0Z7bBYko2dF+W/aUkXUPuk6IVpRxk/3Q2sHOzGlS36g==",
    ),
)
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The package at its pinned version, or at the one that `argument` says. Raises UnavailableError."""
    return start_node(NAME, chosen(PACKAGES, argument), limits)
