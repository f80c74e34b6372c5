"""``exec:COMMAND``: a program that speaks the wire protocol (docs/protocol/README.md)."""

from __future__ import annotations

import shlex

from tokassay.checks.engine import AddressError

from .wire import Limits, WireEngine, start
from .wire.child import Command

NAME = "exec"
HELP = "exec:COMMAND, a program that speaks the wire protocol on stdin and stdout"
ISOLATED = True
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The command, cut into words as a shell would. Raises AddressError or UnavailableError."""
    try:
        words = tuple(shlex.split(argument))
    except ValueError as error:
        raise AddressError(f"exec: cannot read the command {argument!r}: {error}") from error
    if not words:
        raise AddressError("exec needs a command", "exec:./my_engine")
    return start(Command(words, words[0]), limits)
