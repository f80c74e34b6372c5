"""Engines under test: `open("reference")`, `open("hf")`, ... one file per adapter, found by name.

An address is ``name`` or ``name:argument``. An adapter is a module of this package (or a module
that an installed distribution announces as entry point ``tokassay.engines``) with

* ``NAME``: the part of the address before the colon,
* ``HELP``: one line on what it reaches and what it needs,
* ``open_engine(argument) -> Engine``: raises `AddressError` where the argument is wrong, `UnavailableError`
  when the engine cannot start,
* ``IN_PROCESS = True`` where it holds no process and no connection, so that a run may be forked,
* ``ISOLATED = True`` where the engine lives in a child process: ``open_engine(argument, limits)``,
* ``NATIVE = True`` where it is native code in this process, which may take the process down with it:
  where isolation is asked for it is opened as ``child:ADDRESS``,
* ``DISTRIBUTIONS`` where it drives Python packages: their names in the registry, the first one's version
  is the engine's. ``PACKAGES`` where it drives npm packages.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Mapping, Optional, Protocol

from tokassay.checks.engine import AddressError, Engine, Session, UnavailableError

if TYPE_CHECKING:  # the wire is loaded when an engine needs it
    from .wire import Limits

__all__ = [
    "Adapter",
    "AddressError",
    "Engine",
    "Session",
    "UnavailableError",
    "UnknownEngineError",
    "adapters",
    "open",
]
ENTRY_POINTS = "tokassay.engines"


class UnknownEngineError(AddressError):
    """No adapter has that name."""


class Adapter(Protocol):
    """What an adapter module holds."""

    NAME: str
    HELP: str

    def open_engine(self, argument: str) -> Engine: ...


@lru_cache(maxsize=1)
def adapters() -> Mapping[str, Adapter]:
    """Name → adapter; the kit's own names cannot be taken by a third party's."""
    found = {point.name: point.load() for point in importlib.metadata.entry_points(group=ENTRY_POINTS)}
    for info in pkgutil.iter_modules(__path__):
        if info.ispkg or info.name.startswith("_"):
            continue  # what several adapters share
        module = importlib.import_module(f"{__name__}.{info.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = module
    return found


def adapter_at(address: str) -> Any:
    """The adapter that an address names. Raises UnknownEngineError."""
    name, known = address.partition(":")[0], adapters()
    if name not in known:
        raise UnknownEngineError(f"no engine is called {name!r}", f"known: {', '.join(sorted(known))}")
    return known[name]


def open(  # noqa: A001 - the contract's name
    address: str, limits: Optional[Limits] = None, *, isolate: bool = False
) -> Engine:
    """The engine at an address.

    Raises UnknownEngineError for a name that no adapter has, AddressError for an argument that is none,
    UnavailableError when the engine cannot be reached, all with a hint.

    `limits` are for engines in a child process; the others have none. `isolate`: native engines get a
    child, too, so that an abort costs one case.

    >>> open("reference").info.name
    'reference'
    """
    argument, adapter = address.partition(":")[2], adapter_at(address)
    isolated = limits is not None and getattr(adapter, "ISOLATED", False)
    try:
        engine: Engine = adapter.open_engine(argument, limits) if isolated else adapter.open_engine(argument)
    except UnavailableError:
        raise
    except Exception as error:  # a third party's adapter may fail in any way
        raise UnavailableError(f"{adapter.NAME}: {type(error).__name__}: {error}") from error
    # What is not installed has been said by now, better than a child could.
    return open(f"child:{address}", limits) if isolate and getattr(adapter, "NATIVE", False) else engine
