"""What the areas of faults share: each is a folder of modules with ``faults()``, found by file."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Iterable, Iterator, Sequence, cast

from . import Outcome
from ._fault import Fault, Faults
from ._killing import outcome


def faults_of(package: str, path: Iterable[str]) -> Iterator[Fault]:
    """Every fault of the modules in a package, module by module."""
    for info in pkgutil.iter_modules(path):
        module = cast("Faults", importlib.import_module(f"{package}.{info.name}"))
        yield from module.faults()


def outcomes_of(
    faults: Iterable[Fault], suites: Sequence[str], ops: Sequence[str], most: int
) -> Iterator[Outcome]:
    """Each fault on the golden vectors of some operations, in some suites."""
    return (outcome(fault, suites, ops, most) for fault in faults)
