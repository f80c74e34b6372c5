"""Engines opened a second time, in a process of their own."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Callable, Mapping, Optional

from tokassay import engines
from tokassay.checks.engine import Engine, UnavailableError

from .wire import Limits


def opener(addresses: Mapping[str, str], limits: Optional[Limits]) -> Callable[[Engine], Optional[Engine]]:
    """A function from an engine to its twin; None where it cannot be opened again.

    `addresses`: engine name → address.
    """

    @lru_cache(maxsize=16)
    def opened(address: str, _process: int) -> Optional[Engine]:
        try:
            return engines.open(address, limits or Limits())
        except UnavailableError:
            return None

    def twin(engine: Engine) -> Optional[Engine]:
        address = addresses.get(engine.info.name, "")
        name = address.partition(":")[0]
        if not address or name in ("file", "child"):
            return opened(address, os.getpid()) if name == "child" else None
        isolated = getattr(engines.adapters().get(name), "ISOLATED", False)
        return opened(address if isolated else f"child:{address}", os.getpid())

    return twin
