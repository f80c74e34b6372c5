"""``llamacpp``: llama.cpp through the npm package node-llama-cpp, on a GGUF vocabulary made by the kit."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field, replace

from tokassay.checks.engine import EngineInfo, UnavailableError

from ._gguf import vocabulary_gguf
from ._node import Package, chosen, start_node
from .wire import Limits, WireEngine, WireSession
from .wire.connection import Loaded

NAME = "llamacpp"
HELP = "llama.cpp of node-llama-cpp 3.21.1 (needs node, npm and the package gguf: extra `formats`)"
ISOLATED = True
PACKAGES = (
    Package(
        "node-llama-cpp",
        "3.21.1",
        "sha512-E3N0Ev2Va0wzydvXYFwM9Hvyo07PoWjt8T/9GMc43Cvt8YkV/NU/tYUgEMC1grTPv2o9PRjQi0G3Wb5P/awiMg==",
    ),
    Package(
        "@node-llama-cpp/linux-x64",
        "3.21.1",
        "sha512-Totj6RTDMGo3FoK2yNUaz/oGmZD0olAqTrRluFUWmu0kW2i9TOzHSW0OWCAiGkzRCVX0WsU2CyUQo/W2NYtdPA==",
    ),
)
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> LlamaCppEngine:
    """The packages at their pinned version, or at the one that `argument` says. Raises UnavailableError."""
    packages = chosen(PACKAGES, argument)
    if importlib.util.find_spec("gguf") is None:
        raise UnavailableError("the package gguf is not installed", "pip install tokassay[formats]")
    wire = start_node(NAME, packages, limits)
    # What the child loads is made here: to the outside this engine reads tokenizer.json.
    return LlamaCppEngine(replace(wire.info, formats=("tokenizer.json",)), wire)


@dataclass(frozen=True)
class LlamaCppEngine:
    """The engine in its child, behind the conversion."""

    info: EngineInfo
    wire: WireEngine = field(repr=False)

    def load(self, path: str) -> WireSession:
        """Convert (once for each file) and load. Raises an EngineError."""
        made = Loaded(str(vocabulary_gguf(path)))
        self.wire.connection.load(made)
        return WireSession(self.info, path, self.wire.connection, made)

    def close(self) -> None:
        """End the child."""
        self.wire.close()
