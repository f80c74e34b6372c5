"""A host that is killed cannot end its engines, and one that hangs sees no end of its input: a shell does."""

from __future__ import annotations

import subprocess

# The host holds the other end of the shell's stdin, and nobody else: it ends with the host.
_KILL_AT_THE_END = 'read -r _; kill -s KILL -- "-$1"'


def guard(group: int) -> subprocess.Popen[bytes]:
    """A process that kills a process group when this one is gone; `dismiss` it where the group ends."""
    return subprocess.Popen(
        ["/bin/sh", "-c", _KILL_AT_THE_END, "guard", str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # an interrupt from the keyboard is not for it
    )


def dismiss(watching: subprocess.Popen[bytes]) -> None:
    """End a guard before what it watches."""
    watching.kill()
    watching.wait()
    if watching.stdin is not None:
        watching.stdin.close()
