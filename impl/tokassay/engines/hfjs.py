"""``hfjs``: the npm package @huggingface/tokenizers, in Node."""

from __future__ import annotations

from ._node import Package, chosen, start_node
from .wire import Limits, WireEngine

NAME = "hfjs"
HELP = "@huggingface/tokenizers 0.2.0 in Node (needs node and npm)"
ISOLATED = True
PACKAGES = (
    Package(
        "@huggingface/tokenizers",
        "0.2.0",
        "sha512-LidMHe1FpcSYH4vcSjXooda34pC0M8m1gmDOv7SQi6Iv+ib1zX7J3sHBCC9/3FPCkn2k1b55FneVqMRxrr99pg==",
    ),
)
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The package at its pinned version, or at the one that `argument` says. Raises UnavailableError."""
    return start_node(NAME, chosen(PACKAGES, argument), limits)
