"""How much memory and processor time a run takes; its engines' memory by looking now and then."""

from __future__ import annotations

import os
import re
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

PROC = Path("/proc")


def peak_kib() -> int:
    """The most that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def cpu_seconds() -> float:
    """Of this process and of those of its children that have ended."""
    return sum(os.times()[:4])


@dataclass
class Children:
    """The most that the processes which this one started have held at a time. Mutable on purpose.

    `getrusage` would count what a child shares with this process before it becomes an engine.
    """

    kib: int = 0

    def look(self) -> None:
        """The sum of the peaks of those that live."""
        self.kib = max(self.kib, sum(_peak(status) for status in _started_by(os.getpid())))


def _started_by(parent: int) -> Iterator[str]:
    """``/proc/N/status`` of each process with that parent."""
    for name in os.listdir(PROC):  # noqa: PTH208
        status = _status(name) if name.isdigit() else ""
        if f"\nPPid:\t{parent}\n" in status:
            yield status


def _status(number: str) -> str:
    try:
        return (PROC / number / "status").read_text("utf-8", "replace")
    except OSError:  # it has ended meanwhile
        return ""


def _peak(status: str) -> int:
    found = re.search("^VmHWM:[ \t]*([0-9]+) kB", status, re.MULTILINE)
    return int(found.group(1)) if found else 0
