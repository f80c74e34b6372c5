"""``py:MODULE:CLASS``: an engine in Python, in a child of its own.

The class takes the path of a tokenizer file; its methods are what it can do (`tokassay.device.serve`).
"""

from __future__ import annotations

from tokassay.checks.engine import AddressError

from .wire import Limits, WireEngine, start
from .wire.python import python_command

NAME = "py"
HELP = "py:MODULE:CLASS, a class in Python that takes a tokenizer file and has encode and decode"
ISOLATED = True
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The class, found from the current folder and the installed packages.

    Raises AddressError or UnavailableError.
    """
    module, _, name = argument.partition(":")
    if not module or not name:
        raise AddressError(f"py needs MODULE:CLASS, got {argument!r}", "py:my_package.engine:Engine")
    return start(python_command(f"py:{argument}", "tokassay.device.serve", argument), limits)
