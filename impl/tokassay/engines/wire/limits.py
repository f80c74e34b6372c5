"""What an engine in a child may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Limits:
    """Limits of a child, and how it is driven.

    Attributes:
        seconds: for one case; past it the case is a timeout and the child is killed.
        load_seconds: for opening a tokenizer file.
        start_seconds: from the start of the process to its answer to ``hello``.
        memory_mb: address space of the child in MiB (``ulimit -v``), None for no limit.
        restarts: how often the child is started again in a run; the next failure ends the run for it.
        window: requests in flight at a time, where several are known ahead.
        validate: check every request and reply against its JSON Schema.
    """

    seconds: float = 30.0
    load_seconds: float = 120.0
    start_seconds: float = 60.0
    memory_mb: Optional[int] = None
    restarts: int = 100
    window: int = 256
    validate: bool = False
