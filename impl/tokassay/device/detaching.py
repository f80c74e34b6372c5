"""A run that belongs to no connection: one at a time on a board, found again by its folder."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import IO, Any, Callable, Dict, Optional

from . import folder

LOCK = "lock"  # beside the runs; held by the process that runs, for as long as it lives
KILL_SECONDS = 5.0


class BusyError(Exception):
    """Another run is going on."""


def locked(home: Path) -> IO[str]:
    """The lock, held until it is closed. Raises BusyError with who holds it, OSError."""
    file = open(home / LOCK, "a+", encoding="ascii")  # noqa: PTH123, SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _holder(home)
        file.close()
        raise BusyError(f"another run is going on: {holder}") from None
    return file


def _holder(home: Path) -> str:
    with contextlib.suppress(OSError):
        return (home / LOCK).read_text("ascii").strip() or "unknown"
    return "unknown"


def detach(path: Path, home: Path, work: Callable[[], object]) -> int:
    """Run `work` in a session of its own that holds the lock; the number of its process.

    Raises BusyError or OSError before anything has begun.
    """
    lock = locked(home)
    transcript = open(path / folder.TRANSCRIPT, "ab")  # noqa: PTH123, SIM115
    told, tell = os.pipe()
    number = os.fork()
    if number:
        lock.close()  # the child holds the same lock
        transcript.close()
        os.close(tell)
        os.read(told, 1)  # until the child has said who it is: whoever asks next must find it
        os.close(told)
        return number
    try:
        os.close(told)
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        _redirect(transcript)
        _tell(lock, path)
        os.close(tell)
        work()
    except BaseException as error:  # noqa: BLE001 - nobody is above this process
        print(f"the run ended: {type(error).__name__}: {error}", file=sys.stderr, flush=True)  # noqa: T201
        os._exit(3)
    os._exit(0)


def _redirect(transcript: IO[bytes]) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (transcript.fileno(), 1), (transcript.fileno(), 2)):
        os.dup2(source, target)


def _tell(lock: IO[str], path: Path) -> None:
    """Who holds the lock, in the lock and beside the evidence."""
    lock.truncate(0)
    lock.write(f"{path.name} (process {os.getpid()})\n")
    lock.flush()
    (path / folder.PID).write_text(f"{os.getpid()}\n", "ascii")


def status(path: Path, home: Path) -> Dict[str, Any]:
    """``state``: absent, new, running, finished or cut off; ``progress`` where there is some."""
    found: Dict[str, Any] = {"state": _state(path, home)}
    with contextlib.suppress(OSError, ValueError):
        found["progress"] = json.loads((path / folder.PROGRESS).read_text("ascii"))
    return found


def _state(path: Path, home: Path) -> str:
    if not (path / folder.REQUEST).is_file():
        return "absent"
    if (path / folder.OUTCOME).is_file():
        return "finished"
    if not (path / folder.PID).is_file():
        return "new"
    if is_running(path, home):
        return "running"
    return "finished" if (path / folder.OUTCOME).is_file() else "cut off"  # it may have ended since


def is_running(path: Path, home: Path) -> bool:
    """Whether the lock is held, and for this run."""
    try:
        locked(home).close()
    except BusyError:
        return _holder(home).startswith(f"{path.name} ")
    return False


def stop(path: Path, home: Path) -> Optional[int]:
    """End a run and all that it started; the number of its process, None where it was not running."""
    if not is_running(path, home):
        return None
    number = int((path / folder.PID).read_text("ascii"))
    os.killpg(number, signal.SIGTERM)
    deadline = time.monotonic() + KILL_SECONDS
    while is_running(path, home) and time.monotonic() < deadline:
        time.sleep(0.05)
    if is_running(path, home):
        os.killpg(number, signal.SIGKILL)
    return number
