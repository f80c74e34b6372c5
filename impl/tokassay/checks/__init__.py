"""Checks: plain functions ``check(engine, vector) -> Verdict``, one file per suite, found by name.

A suite is a module of this package with

* ``SUITE``: its name,
* ``applies(vector) -> bool``: whether the vector holds something for this suite,
* ``check(engine, vector) -> Verdict``: `engine` is a `Session`, `vector` holds one tokenizer's answer
  (`narrowed`),
* optionally ``calls(capabilities, vector)``: the calls that the check of a vector makes, so that an
  engine behind a pipe can be asked ahead; nothing that a capability forbids, and no more than it asks itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from typing import Callable, FrozenSet, Iterable, Mapping

from .calls import Call
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
    calls: Callable[[FrozenSet[str], Vector], Iterable[Call]] = lambda _able, _vector: ()


@lru_cache(maxsize=1)
def suites() -> Mapping[str, Suite]:
    """Name → suite, in the order of the names."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if hasattr(module, "SUITE"):
            told = {"calls": module.calls} if hasattr(module, "calls") else {}
            found[module.SUITE] = Suite(module.SUITE, module.applies, module.check, **told)
    return dict(sorted(found.items()))
