"""How a board is reached: stock ssh and scp, or this machine itself.

Nothing is configured here that the user's ssh does not know: names, keys, agents and jump hosts are those of
the user's configuration. Host keys are checked strictly, and nothing is ever asked.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

MARK = "tokassay-exit-code"
OPTIONS: Mapping[str, str] = {
    "BatchMode": "yes",
    "StrictHostKeyChecking": "yes",
    "ConnectTimeout": "15",
    "ServerAliveInterval": "10",
    "ServerAliveCountMax": "3",
    "ControlMaster": "auto",
    "ControlPersist": "120",
}
SECONDS = 600.0  # for one command


class LinkError(Exception):
    """The board could not be reached, or the connection was lost."""


class HostKeyError(LinkError):
    """The host key is unknown, or another one than before: trying again will not help."""


@dataclass(frozen=True)
class Ran:
    """What a command on the board answered."""

    code: int
    out: str
    err: str


class Link(Protocol):
    """A way to a board. Every method raises LinkError."""

    @property
    def name(self) -> str: ...

    def run(self, script: str, stdin: bytes = b"") -> Ran:
        """A script for ``sh``, in the home folder."""
        ...

    def put(self, source: Path, target: str) -> None:
        """A file to a path below the home folder."""
        ...

    def get(self, sources: Sequence[str], folder: Path) -> None:
        """Files from paths below the home folder, into a folder here."""
        ...

    def facts(self) -> Mapping[str, str]:
        """How the board was reached, for the evidence."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Ssh:
    """`host` as ssh takes it; `config`: another ssh_config than the user's."""

    host: str
    config: str = ""
    sockets: str = field(default_factory=lambda: tempfile.mkdtemp(prefix="tokassay-"))

    @property
    def name(self) -> str:
        return self.host

    def words(self, program: str) -> list[str]:
        found = [program, *(["-F", self.config] if self.config else [])]
        for name, value in {**OPTIONS, "ControlPath": f"{self.sockets}/%C"}.items():
            found += ["-o", f"{name}={value}"]
        return found

    def run(self, script: str, stdin: bytes = b"") -> Ran:
        wrapped = f'({script}\n); printf "\\n{MARK} %d\\n" $?'
        done = _called([*self.words("ssh"), self.host, f"sh -c {shlex.quote(wrapped)}"], stdin)
        out, _, code = done.stdout.decode("utf-8", "replace").rpartition(f"\n{MARK} ")
        error = done.stderr.decode("utf-8", "replace").strip()
        if not code.strip().isdigit():
            raise _lost(self.host, error or f"ssh ended with {done.returncode}")
        return Ran(int(code), out, error)

    def put(self, source: Path, target: str) -> None:
        self._copied([str(source), f"{self.host}:{target}"])

    def get(self, sources: Sequence[str], folder: Path) -> None:
        self._copied([*(f"{self.host}:{source}" for source in sources), f"{folder}/"])

    def _copied(self, words: Sequence[str]) -> None:
        done = _called([*self.words("scp"), "-q", *words])
        if done.returncode:
            raise _lost(self.host, done.stderr.decode("utf-8", "replace").strip())

    def facts(self) -> Mapping[str, str]:
        """The host key that the server showed, by a connection of its own: the last, after jump hosts'."""
        first, *rest = self.words("ssh")  # the first value of an option counts
        words = [first, "-o", "ControlPath=none", "-v", *rest, self.host, "true"]
        told = _called(words).stderr.decode("utf-8", "replace")
        found = re.findall(r"Server host key: (\S+) (SHA256:\S+)", told)
        if not found:
            raise _lost(self.host, told.strip().splitlines()[-1] if told.strip() else "no host key")
        kind, fingerprint = found[-1]
        return {"host": self.host, "host_key_type": kind, "host_key": fingerprint}

    def close(self) -> None:
        with suppress(LinkError):
            _called([*self.words("ssh"), "-O", "exit", self.host])
        shutil.rmtree(self.sockets, ignore_errors=True)


@dataclass(frozen=True)
class Here:
    """The runner is on the board itself: the same scripts, without a connection. `home` stands for ``~``."""

    home: Path = field(default_factory=Path.home)
    name: str = "local"

    def run(self, script: str, stdin: bytes = b"") -> Ran:
        done = _called(["sh", "-c", f"cd {shlex.quote(str(self.home))} && {script}"], stdin)
        return Ran(
            done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        )

    def put(self, source: Path, target: str) -> None:
        self._copied(source, self.home / target)

    def get(self, sources: Sequence[str], folder: Path) -> None:
        for source in sources:
            self._copied(self.home / source, folder / Path(source).name)

    def _copied(self, source: Path, target: Path) -> None:
        try:
            shutil.copyfile(source, target)
        except OSError as error:
            raise LinkError(f"{self.name}: {error}") from error

    def facts(self) -> Mapping[str, str]:
        return {"host": "local", "host_key_type": "", "host_key": ""}

    def close(self) -> None:
        """Nothing is held."""


def _called(words: Sequence[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(words, input=stdin, capture_output=True, timeout=SECONDS, check=False)
    except FileNotFoundError as error:
        raise LinkError(f"{words[0]} is not installed here") from error
    except subprocess.TimeoutExpired as error:
        raise LinkError(f"{words[0]} did not end within {SECONDS:g} s") from error


def _lost(host: str, told: str) -> LinkError:
    """The error behind what ssh says, with what can be done."""
    if "REMOTE HOST IDENTIFICATION HAS CHANGED" in told:
        hint = (
            f"if that is expected, remove the old key (ssh-keygen -R {host}) and accept the new one by hand"
        )
        return HostKeyError(f"{host}: its host key is another one than before; {hint}")
    if "Host key verification failed" in told:
        return HostKeyError(
            f"{host}: its host key is unknown; connect once by hand and compare it: ssh {host}"
        )
    last = [line for line in told.splitlines() if line.strip()]
    return LinkError(f"{host}: {last[-1] if last else 'the connection was lost'}")
