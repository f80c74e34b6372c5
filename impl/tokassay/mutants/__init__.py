"""How strong the suite is: rules broken on purpose, and the probes that notice. One file per area.

An area is found by name, a module here with ``AREA`` (as typed), ``HELP`` (one line), ``TOKENIZER``
(the default) and ``outcomes(path, most=0) -> Iterator[Outcome]``: one outcome per mutant, tried on all of
the probes, or until `most` of them notice. Where mutants are faults of the reference, ``faults()`` gives
them, too, each an engine of its own.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import (
    Callable,
    Collection,
    Iterator,
    Mapping,
    Optional,
    Protocol,
    Tuple,
    Union,
    cast,
    runtime_checkable,
)

from tokassay import engines
from tokassay.checks.engine import AddressError, Engine

Answer = Union[Tuple[int, ...], str]
"""The ids of a probe, or what happened instead of ids."""


@dataclass(frozen=True)
class Change:
    """A probe that a mutant answers otherwise. `number` counts from 1 in the order of the probes.

    `text_expected` and `text_got` are what the ids decode to.
    """

    number: int
    probe: str
    expected: Answer
    got: Answer
    text_expected: str = ""
    text_got: str = ""


@dataclass(frozen=True)
class Outcome:
    """One mutant: its name, the branch that it breaks, and the probes that notice.

    `equivalent`: why none can, where that is so.
    """

    mutant: str
    branch: str
    changes: Tuple[Change, ...]
    equivalent: str = ""

    @property
    def caught(self) -> bool:
        return bool(self.changes)


class Area(Protocol):
    """What a module of this package holds."""

    AREA: str
    HELP: str
    TOKENIZER: str

    def outcomes(self, path: Path, most: int = 0) -> Iterator[Outcome]:
        """Every mutant of the area on the tokenizer in a file. Raises FormatError where it cannot be used."""
        ...


class Patched(Protocol):
    """A fault: see `tokassay.mutants._fault.Fault`."""

    @property
    def name(self) -> str: ...

    @property
    def models(self) -> str: ...

    @property
    def clause(self) -> str: ...

    def open_engine(self) -> Engine: ...


@runtime_checkable
class Faulty(Protocol):
    """An area whose mutants are engines."""

    def faults(self) -> Iterator[Patched]: ...


MUTANT = "mutant:"
"""Addresses of mutants begin so: ``mutant:AREA/NAME``."""


@lru_cache(maxsize=1)
def areas() -> Mapping[str, Area]:
    """Name → area, in the order of the names."""
    names = [info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_")]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    found = {module.AREA: cast("Area", module) for module in modules if hasattr(module, "AREA")}
    return dict(sorted(found.items()))


@dataclass(frozen=True)
class Mutant:
    """One fault of the reference as an engine: `models` is the class of public bugs that it stands for."""

    area: str
    name: str
    models: str
    clause: str
    open_engine: Callable[[], Engine]

    @property
    def address(self) -> str:
        return f"{MUTANT}{self.area}/{self.name}"


def catalogue(names: Optional[Collection[str]] = None) -> Iterator[Mutant]:
    """Every mutant that is an engine, of some areas or of all: what a fuzz target or a suite has to find."""
    for name, area in areas().items():
        if names is not None and name not in names:
            continue
        for fault in area.faults() if isinstance(area, Faulty) else ():
            yield Mutant(name, fault.name, fault.models, fault.clause, fault.open_engine)


def engine_at(address: str, *, isolate: bool = False) -> Engine:
    """As `tokassay.engines.open`, and mutants by address. Raises AddressError for one that is none."""
    if not address.startswith(MUTANT):
        return engines.open(address, isolate=isolate)
    for mutant in catalogue([address[len(MUTANT) :].partition("/")[0]]):
        if mutant.address == address:
            return mutant.open_engine()
    raise AddressError(f"no mutant is at {address!r}", "see `tokassay mutants`")
