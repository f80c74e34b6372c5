"""How much memory and processor time a run takes; its engines' memory by looking now and then."""

from __future__ import annotations

import gc
import os
import re
import resource
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

PROC = Path("/proc")
SELDOM = 50_000  # new objects from one search for cycles to the next


def peak_kib() -> int:
    """The most that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def cpu_seconds() -> float:
    """Of this process and of those of its children that have ended."""
    return sum(os.times()[:4])


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Cycles are few in a run, and each search for them goes through all vectors: an eighth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def give_back() -> None:
    """What suites have left goes back to the system, where the C library can: engines start beside it."""
    gc.collect()
    with suppress(ImportError, OSError, AttributeError):
        import ctypes  # noqa: PLC0415 - not every Python has it

        ctypes.CDLL(None).malloc_trim(0)


@dataclass
class Memory:
    """What this process and those that it started have held, seen whenever it looks. Mutable on purpose.

    `getrusage` would count what a child shares with this process before it becomes an engine.

    Attributes:
        children_kib: the most that the processes which this one started have held at a time.
        together_kib: the most that they and this one have held at a time.
        own_kib: this one's peak when it looked last.
    """

    children_kib: int = 0
    together_kib: int = 0
    own_kib: int = 0
    looking: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> None:
        """Of those that live the peaks; of this one its peak if that is new, else what it holds now."""
        with self.looking:
            children = sum(_kib("VmHWM", status) for status in _started_by(os.getpid()))
            held, before = _kib("VmRSS", _status(str(os.getpid()))), self.own_kib
            self.own_kib = max(before, peak_kib(), held)  # the kernel notes a peak a little late
            own = self.own_kib if self.own_kib > before else held
            self.children_kib = max(self.children_kib, children)
            self.together_kib = max(self.together_kib, own + children, self.own_kib)


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


def _kib(name: str, status: str) -> int:
    found = re.search(f"^{name}:[ \t]*([0-9]+) kB", status, re.MULTILINE)
    return int(found.group(1)) if found else 0
