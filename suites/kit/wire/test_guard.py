"""An engine that hangs does not outlive a host that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from tokassay.engines import open as open_engine

# The engine ignores its input, as one does that hangs in native code.
HANGING = "import os, time; print(os.getpid(), file=open('pid', 'w'), flush=True); time.sleep(600)"
HOST = """
import sys
from tokassay.engines.wire.child import Child, Command
from tokassay.engines.wire.limits import Limits
child = Child(Command((sys.executable, "-c", sys.argv[1]), "hanging"), Limits())
child.lines(600)
"""


def state(pid: str) -> list[str]:
    """State and parent of a process, nothing where there is none."""
    with suppress(OSError), open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
        return file.read().rpartition(")")[2].split()[:2]
    return []


def is_there(pid: int) -> bool:
    """Alive, and not only waiting for somebody to ask how it ended."""
    return state(str(pid))[:1] not in ([], ["Z"])


def children() -> int:
    return sum(state(pid)[1:] == [str(os.getpid())] for pid in os.listdir("/proc") if pid.isdigit())  # noqa: PTH208


def waited(condition: Callable[[], object]) -> bool:
    deadline = time.monotonic() + 30
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(condition())


def test_an_engine_that_hangs_ends_with_a_host_that_is_killed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    host = subprocess.Popen([sys.executable, "-c", HOST, HANGING])
    assert waited(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip())
    engine = int((tmp_path / "pid").read_text())
    assert is_there(engine)
    host.send_signal(signal.SIGKILL)
    host.wait()
    assert waited(lambda: not is_there(engine))


def test_a_guard_ends_with_its_engine():
    before = children()
    engine = open_engine("child:reference")
    assert children() == before + 2
    engine.close()
    assert children() == before
