"""``child:ADDRESS``: any other adapter, in a child: what crashes or hangs there costs one case.

>>> from tokassay import engines
>>> engines.open("child:reference").info.name
'reference'
"""

from __future__ import annotations

from tokassay.checks.engine import AddressError

from . import adapter_at
from .wire import Limits, WireEngine, start
from .wire.python import python_command

NAME = "child"
HELP = "child:ADDRESS, another adapter of this list in a process of its own"
ISOLATED = True
_DEFAULTS = Limits()


def open_engine(argument: str, limits: Limits = _DEFAULTS) -> WireEngine:
    """The adapter at an address. Raises AddressError or UnavailableError."""
    if not argument:
        raise AddressError("child needs the address of another engine", "child:hf")
    inner = adapter_at(argument)
    if getattr(inner, "ISOLATED", False):
        raise AddressError(f"child: {inner.NAME} has a process of its own already", argument)
    return start(python_command(f"child:{argument}", "tokassay.engines.wire.serve_adapter", argument), limits)
