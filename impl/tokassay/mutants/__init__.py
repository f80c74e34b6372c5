"""How strong the suite is: rules broken on purpose, and the probes that notice. One file per area.

An area is found by name, a module here with ``AREA`` (as typed), ``HELP`` (one line), ``TOKENIZER``
(the default) and ``outcomes(path) -> Iterator[Outcome]``: one outcome per mutant, tried on all of the probes.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Iterator, Mapping, Protocol, Tuple, Union, cast

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
    """One mutant: its name, the branch that it breaks, and the probes that notice."""

    mutant: str
    branch: str
    changes: Tuple[Change, ...]

    @property
    def caught(self) -> bool:
        return bool(self.changes)


class Area(Protocol):
    """What a module of this package holds."""

    AREA: str
    HELP: str
    TOKENIZER: str

    def outcomes(self, path: Path) -> Iterator[Outcome]:
        """Every mutant of the area on the tokenizer in a file. Raises FormatError where it cannot be used."""
        ...


@lru_cache(maxsize=1)
def areas() -> Mapping[str, Area]:
    """Name → area, in the order of the names."""
    modules = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    found = {module.AREA: cast("Area", module) for module in modules if hasattr(module, "AREA")}
    return dict(sorted(found.items()))
