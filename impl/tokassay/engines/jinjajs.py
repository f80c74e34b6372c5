"""``jinjajs``: the npm package @huggingface/jinja, in Node. It does chat templates and nothing else."""

from __future__ import annotations

from ._node import Package, chosen, start_node
from .wire import Limits, WireEngine

NAME = "jinjajs"
HELP = "@huggingface/jinja 0.5.11 in Node: chat templates only (needs node and npm)"
ISOLATED = True
PACKAGES = (
    Package(
        "@huggingface/jinja",
        "0.5.11",
        "sha512-YzEzwM5oQf4r0vs7ifWQ+yuVR1YkAHrjERQ+a8WRsStHHp4NRBg+NesjiFc+X2AFUpRvvrIeHDS1xFy9jY/IjQ==",
    ),
)
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The package at its pinned version, or at the one that `argument` says. Raises UnavailableError."""
    return start_node(NAME, chosen(PACKAGES, argument), limits)
