"""``cabi:./lib.so``: four C functions of a shared library (docs/protocol/tokassay_abi.h), in a child."""

from __future__ import annotations

from pathlib import Path

from tokassay.checks.engine import AddressError, UnavailableError

from .wire import Limits, WireEngine, start
from .wire.python import python_command

NAME = "cabi"
HELP = "cabi:./lib.so, a shared library with the four functions of tokassay_abi.h"
ISOLATED = True
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The library at a path. Raises UnavailableError."""
    if not argument:
        raise AddressError("cabi needs the path of a shared library", "cabi:./libengine.so")
    if not Path(argument).is_file():
        raise UnavailableError(f"cabi: there is no file {argument!r}", "is it built, and is the path right?")
    return start(python_command(f"cabi:{argument}", "tokassay.device.cabi", argument), limits)
