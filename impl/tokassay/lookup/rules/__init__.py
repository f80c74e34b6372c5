"""The rules by which engines draft: one small file each, found by its ``NAME``.

A rule is a frozen dataclass of its options with

* ``NAME``: what `NgramIndex(rule=...)` is given,
* ``open() -> Tables``: the tables that it looks in, empty,
* ``draft(tables) -> Draft``: what it proposes after the history that the tables hold,
* ``padding(draft) -> ids``: what its engine feeds after the draft to fill it up; nothing for most.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Mapping, NamedTuple, Protocol, Sequence

ROLES = ("prompt", "output", "reference")


class Draft(NamedTuple):
    """Ids to verify, and the size of the n-gram that they were found with; 0 where there are none."""

    ids: Sequence[int]
    n: int


NO_DRAFT = Draft((), 0)


class Tables(Protocol):
    """A history, and whatever a rule remembers of it."""

    @property
    def ids(self) -> Sequence[int]:
        """The history."""
        ...

    def extend(self, ids: Sequence[int], role: str) -> None:
        """Append to the history (``prompt``, ``output``), or add a text of its own (``reference``)."""
        ...

    def truncate(self, length: int) -> None:
        """Keep the first `length` ids of the history, as if the others had never been there."""
        ...


class Rule(Protocol):
    """How one engine drafts; ``max_ngram`` and ``num_draft`` are options of every rule."""

    NAME: str

    def open(self) -> Tables: ...

    def draft(self, tables: Tables) -> Draft: ...

    def padding(self, draft: Sequence[int]) -> Sequence[int]: ...


@lru_cache(maxsize=1)
def rules() -> Mapping[str, type]:
    """``NAME`` → rule, for every module of this folder that holds one."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    found = (value for module in modules for value in vars(module).values() if isinstance(value, type))
    return {value.NAME: value for value in found if "NAME" in vars(value)}  # type: ignore[attr-defined]
