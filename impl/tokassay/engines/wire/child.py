"""One child process: its pipes, its limits, and what is known when it is gone."""

from __future__ import annotations

import contextlib
import hashlib
import os
import select
import shutil
import signal
import subprocess
import time
import weakref
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, Deque, List, Mapping, Optional, Tuple

from tokassay.checks.engine import CrashError, EngineError, FaultError, TimeLimitError, UnavailableError

from .guard import dismiss, guard
from .limits import Limits

READ_BYTES = 1 << 20
LINE_BYTES = 1 << 28  # a reply longer than this is not waited for
STDERR_BYTES = 4000
STDERR_LINES = 4
END_SECONDS = 2.0  # from the end of its output to the end of a process


@dataclass(frozen=True)
class Command:
    """How an engine is started. `shown` is how messages call it."""

    words: Tuple[str, ...]
    shown: str
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def program(self) -> Optional[str]:
        """Path of the program, None where there is none."""
        word = self.words[0]
        if os.sep in word:  # a path is tried as it is: not every emulator of a board answers access() rightly
            return word if Path(word).is_file() else None
        return shutil.which(word)

    def sha256(self) -> str:
        """Of the program's file."""
        path = self.program or os.devnull
        held = os.stat(path)  # noqa: PTH116
        return _sha256(path, held.st_mtime_ns, held.st_size)


@lru_cache(maxsize=16)
def _sha256(path: str, _changed: int, _size: int) -> str:
    """Taken once of a file that stays as it is: an engine may be started many times."""
    with open(path, "rb") as file:  # noqa: PTH123
        return hashlib.sha256(file.read()).hexdigest()


class LostError(Exception):
    """A child that can no longer be used; `kind` is crash, timeout or breach (of the protocol)."""

    def __init__(self, kind: str, reason: str) -> None:
        self.kind, self.reason = kind, reason
        super().__init__(reason)

    def as_engine_error(self, note: str = "") -> EngineError:
        """What it means for the case to blame."""
        kinds = {"crash": CrashError, "timeout": TimeLimitError, "breach": FaultError}
        return kinds[self.kind](self.reason + note)


class Child:
    """A running engine. Not for several threads at a time: the connection holds a lock."""

    def __init__(self, command: Command, limits: Limits) -> None:
        """Raises UnavailableError where the program is not there."""
        self._limits = limits
        self._process = process = _started(command, limits)
        self._in, self._out, self._err = (pipe.fileno() for pipe in _pipes(process))
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._unsent: List[bytes] = []
        self._partial: List[bytes] = []
        self._stderr: Deque[bytes] = deque(maxlen=16)
        self._poll = select.poll()
        for number in (self._out, self._err):
            self._poll.register(number, select.POLLIN)
        self.end = weakref.finalize(self, _end, process, guard(process.pid))

    def send(self, line: bytes) -> None:
        """Queue a request; it leaves with the next `push` or `lines`."""
        self._unsent.append(line)

    def push(self) -> None:
        """Write what the pipe takes now."""
        data = b"".join(self._unsent)
        try:
            written = os.write(self._in, data) if data else 0
        except BlockingIOError:
            written = 0
        except OSError:  # it reads no more; the end of its output tells why
            written = len(data)
        self._unsent = [data[written:]] if written < len(data) else []

    def lines(self, seconds: float) -> List[bytes]:
        """At least one whole line of output. Raises LostError at its end, or after `seconds` of silence."""
        deadline = time.monotonic() + seconds
        while True:
            self.push()
            self._watch_input()
            ready = self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            if not ready:
                raise LostError("timeout", f"no answer within {seconds:g} s{self.said()}")
            for pipe, _ in ready:
                if pipe == self._err:
                    self._read_stderr()
                elif pipe == self._out:
                    found = self._read_lines()
                    if found:
                        return found

    def _watch_input(self) -> None:
        """Poll for room in the input pipe only while something waits for it."""
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)
        else:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._in)

    def _read_lines(self) -> List[bytes]:
        chunk = os.read(self._out, READ_BYTES)
        if not chunk:
            raise LostError("crash", self._obituary())
        *whole, rest = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join([*self._partial, whole[0]])
            self._partial.clear()
        self._partial.append(rest)
        if len(self._partial) > LINE_BYTES // READ_BYTES and sum(map(len, self._partial)) > LINE_BYTES:
            raise LostError("breach", f"a line of its stdout is longer than {LINE_BYTES >> 20} MiB")
        return whole

    def _read_stderr(self) -> bool:
        try:
            chunk = os.read(self._err, STDERR_BYTES)
        except BlockingIOError:
            return False
        if chunk:
            self._stderr.append(chunk)
        else:
            self._poll.unregister(self._err)
        return bool(chunk)

    def said(self) -> str:
        """The last lines of its stderr, ready to follow a reason."""
        with contextlib.suppress(KeyError):
            while self._read_stderr():
                pass
        text = b"".join(self._stderr)[-STDERR_BYTES:].decode("utf-8", "backslashreplace")
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        return f"; stderr: {' | '.join(lines[-STDERR_LINES:])}" if lines else ""

    def _obituary(self) -> str:
        """How it ended: signal or exit code, what it said last, and its memory where that was limited."""
        status, peak = _wait(self._process)
        memory = ""
        if self._limits.memory_mb is not None:
            memory = f"; it had used {peak >> 10} MiB (address space limited to {self._limits.memory_mb} MiB)"
        return f"{_how(status)}{memory}{self.said()}"


def _pipes(process: subprocess.Popen[bytes]) -> List[IO[bytes]]:
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]


def _started(command: Command, limits: Limits) -> subprocess.Popen[bytes]:
    if command.program is None:
        raise UnavailableError(f"{command.words[0]}: no such program", "is it built, and is the path right?")
    words = [command.program, *command.words[1:]]
    if limits.memory_mb is not None:
        # The shell sets the limit and is replaced: nothing of Python runs between fork and exec.
        words = ["/bin/sh", "-c", f'ulimit -v {limits.memory_mb << 10} && exec "$0" "$@"', *words]
    try:
        return subprocess.Popen(
            words,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **command.environment},
            start_new_session=True,  # so that what it starts ends with it
        )
    except OSError as error:
        raise UnavailableError(f"{command.shown} cannot be started: {error.strerror}") from error


def _wait(process: subprocess.Popen[bytes]) -> Tuple[Optional[int], int]:
    """Exit status (None: still there) and peak memory in KiB, soon after its output ended."""
    deadline = time.monotonic() + END_SECONDS
    while process.returncode is None:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss
        if time.monotonic() > deadline:
            return None, 0
        time.sleep(0.005)
    return process.returncode, 0


def _how(status: Optional[int]) -> str:
    if status is None:
        return "closed its stdout without ending"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    return f"ended with exit code {status}" + (" before it answered" if status == 0 else "")


def _end(process: subprocess.Popen[bytes], watching: subprocess.Popen[bytes]) -> None:
    """End the process and whatever it started."""
    dismiss(watching)
    for pipe in _pipes(process):
        pipe.close()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.returncode is None:
        process.wait()
