"""What a login of the stand-in board runs: everything behind it is aarch64, by proot and qemu.

Usage (sshd's ForceCommand): login.py BOARD_FOLDER    with the command in SSH_ORIGINAL_COMMAND

While anything that was started lives, proot stays, and would hold the connection open. So it gets pipes, and
this program ends with the command, as a login on a real board does, and leaves a detached run alone.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHUNK = 1 << 16
SFTP = "/usr/lib/openssh/sftp-server"


def command_line(board: Path, code: Path) -> list[str]:
    """The words of proot with the board's own home and fixtures; the exit code goes into a file there."""
    told = json.loads((board / "board.json").read_text())
    asked = os.environ.get("SSH_ORIGINAL_COMMAND") or "exec /bin/sh -i"
    if asked in ("internal-sftp", "sftp-server") or asked.endswith("/sftp-server"):
        asked = SFTP
    binds = [f"{board}/home:/root", f"{board}/sys:/sys", f"{board}/tmp:/tmp", "/dev", "/proc"]
    binds += [f"{board}/cpuinfo:/proc/cpuinfo", *told.get("binds", [])]
    words = ["proot", "-q", f"{told['emulator']} -cpu cortex-a76", "-r", told["tree"], "-w", "/root"]
    for bind in binds:
        words += ["-b", bind]
    environment = [
        "HOME=/root",
        f"PATH={told.get('path', '/usr/bin:/bin')}",
        "LANG=C.UTF-8",
        *told["environment"],
    ]
    inner = f'(eval "$1"); echo $? > /root/{code.name}.part; mv /root/{code.name}.part /root/{code.name}'
    return [*words, "/usr/bin/env", "-i", *environment, "/bin/sh", "-c", inner, "sh", asked]


def main(folder: str) -> int:
    board = Path(folder)
    os.environ["PROOT_TMP_DIR"] = str(board / "run")
    code = Path(tempfile.mktemp(prefix=".code-", dir=board / "home"))
    process = subprocess.Popen(
        command_line(board, code), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    pipes = {process.stdout.fileno(): 1, process.stderr.fileno(): 2}  # type: ignore[union-attr]
    ended = False
    while pipes:
        ready, _, _ = select.select(list(pipes), [], [], 0.0 if ended else 0.02)
        if ended and not ready:
            break
        for pipe in ready:
            chunk = os.read(pipe, CHUNK)
            if chunk:
                _write(pipes[pipe], chunk)
            else:
                del pipes[pipe]
        ended = ended or code.exists()
    found = _code(code, process)
    if pipes and process.poll() is None and not os.fork():
        _drain(list(pipes))
    return found


def _drain(pipes: list[int]) -> None:
    """What proot says of a detached run is read: without a reader it would die, and the run with it."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    while pipes:
        for pipe in select.select(pipes, [], [])[0]:
            if not os.read(pipe, CHUNK):
                pipes.remove(pipe)
    os._exit(0)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(target, view) :]


def _code(code: Path, process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + 2.0
    while not code.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if not code.exists():
        return 255
    found = int(code.read_text())
    code.unlink()
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
