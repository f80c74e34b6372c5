"""Checks: plain functions ``check(engine, vector) -> Verdict``, one file per suite, found by name.

A suite is a module of this package with

* ``SUITE``: its name,
* ``applies(vector) -> bool``: whether the vector holds something for this suite,
* ``check(engine, vector) -> Verdict``: `engine` is a `Session`, `vector` holds one tokenizer's answer
  (`narrowed`).
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from typing import Callable, Mapping

from .engine import Session
from .vector import Vector
from .verdict import Verdict

__all__ = ["Suite", "suites"]


@dataclass(frozen=True)
class Suite:
    """One kind of check with its name."""

    name: str
    applies: Callable[[Vector], bool]
    check: Callable[[Session, Vector], Verdict]


@lru_cache(maxsize=1)
def suites() -> Mapping[str, Suite]:
    """Name → suite, in the order of the names."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if hasattr(module, "SUITE"):
            found[module.SUITE] = Suite(module.SUITE, module.applies, module.check)
    return dict(sorted(found.items()))
