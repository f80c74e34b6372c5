"""``lenml``: the npm package @lenml/tokenizers, in Node."""

from __future__ import annotations

from ._node import Package, chosen, start_node
from .wire import Limits, WireEngine

NAME = "lenml"
HELP = "@lenml/tokenizers 3.7.2 in Node (needs node and npm)"
ISOLATED = True
PACKAGES = (
    Package(
        "@lenml/tokenizers",
        "3.7.2",
        "sha512-tuap9T7Q80Czor8NHzxjlLNvxEX8MgFINzsBTV+lq1v7G+78YR3ZvBhmLsPHtgqExB4Q4kCJH6dhXOYWSLdHLw==",
    ),
)
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The package at its pinned version, or at the one that `argument` says. Raises UnavailableError."""
    return start_node(NAME, chosen(PACKAGES, argument), limits)
