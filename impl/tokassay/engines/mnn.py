"""``mnn``: the tokenizer of MNN's wheel (no model needed), always in a child."""

from __future__ import annotations

import importlib.metadata

from tokassay.checks.engine import AddressError, UnavailableError

from .wire import Limits, WireEngine, start
from .wire.python import python_command

NAME = "mnn"
HELP = "MNN's tokenizer, on .mtok or on a tokenizer.json converted to it (extra `mnn`)"
DISTRIBUTIONS = ("mnn",)
ISOLATED = True
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The installed wheel. Raises UnavailableError."""
    if argument:
        raise AddressError(f"{NAME} takes no argument, got {argument!r}")
    try:
        importlib.metadata.version("mnn")
    except importlib.metadata.PackageNotFoundError as error:
        raise UnavailableError("the package mnn is not installed", "pip install tokassay[mnn]") from error
    return start(python_command(NAME, "tokassay.engines._mnn"), limits)
