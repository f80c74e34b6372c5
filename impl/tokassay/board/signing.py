"""SSH signatures over a statement, by ``ssh-keygen -Y``: with a key of the operator here, or of the board."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from tokassay.device import folder as names
from tokassay.device.statement import NAMESPACE, rendered, statement

from .links import Link


class SignatureError(Exception):
    """A statement that was not signed, or whose signature does not hold."""


def state_and_sign(folder: Path, key: Path | None, link: Link | None = None, board_key: str = "") -> None:
    """Write the statement about a folder, signed where there is a key. Raises SignatureError, OSError."""
    data = rendered(statement(folder))
    (folder / names.SIGNATURE).unlink(missing_ok=True)
    (folder / names.STATEMENT).write_bytes(data)
    if board_key and link is not None:
        _sign_there(folder, data, link, board_key)
    elif key is not None:
        _called(
            ["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(folder / names.STATEMENT)]
        )


def _sign_there(folder: Path, data: bytes, link: Link, board_key: str) -> None:
    done = link.run(f"ssh-keygen -q -Y sign -n {NAMESPACE} -f {shlex.quote(board_key)} -", data)
    if done.code:
        raise SignatureError(f"{link.name}: {done.err}")
    (folder / names.SIGNATURE).write_text(done.out.strip() + "\n", "ascii")


def check(folder: Path, signers: Path) -> str:
    """Who of the allowed signers (``man ssh-keygen``) signed. Raises SignatureError."""
    signature = str(folder / names.SIGNATURE)
    found = _called(["ssh-keygen", "-Y", "find-principals", "-s", signature, "-f", str(signers)])
    principal = found.strip().split("\n")[0]
    words = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-n",
        NAMESPACE,
        "-s",
        signature,
        "-f",
        str(signers),
        "-I",
        principal,
    ]
    _called(words, (folder / names.STATEMENT).read_bytes())
    return principal


def _called(words: list[str], stdin: bytes = b"") -> str:
    try:
        done = subprocess.run(words, input=stdin, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise SignatureError("ssh-keygen is not installed here") from error
    if done.returncode:
        told = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise SignatureError(told.split("\n")[-1] or f"ssh-keygen ended with {done.returncode}")
    return done.stdout.decode("utf-8", "replace")
