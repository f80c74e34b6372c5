"""The seal: hashes, the statement's subjects, and the SSH signature over the statement."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokassay.device import folder as names
from tokassay.device.statement import NAMESPACE

from .evidence import Evidence
from .reading import EvidenceError, Problem

BEGIN, END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
WIDTH = 70  # characters of a line of ssh-keygen's armour


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def hashes(evidence: Evidence) -> Iterator[Problem]:
    """Every file has the sha256 that the statement says, the board's files that of the outcome, too."""
    yield from _subjects(evidence)
    stated = evidence.outcome["files"]
    for name in sorted({*stated, *names.BOARD_FILES}):
        if name not in names.BOARD_FILES or name not in stated:
            reason = "is missing" if name not in stated else "is no file that a board writes"
            yield Problem(names.OUTCOME, f"files.{name}", reason)
        elif stated[name] != sha256(evidence.files[name]):
            found = sha256(evidence.files[name])
            yield Problem(name, "", f"has the sha256 {found}; the board wrote one with {stated[name]}")


def _subjects(evidence: Evidence) -> Iterator[Problem]:
    statement = evidence.statement
    subjects = statement.get("subject") if isinstance(statement, dict) else None
    if not isinstance(subjects, list):
        yield Problem(names.STATEMENT, "subject", "expected a list")
        return
    if len(subjects) != len(names.SUBJECTS):
        yield Problem(names.STATEMENT, "subject", f"{len(subjects)} files, not {len(names.SUBJECTS)}")
    for number, (name, one) in enumerate(zip(names.SUBJECTS, subjects, strict=False)):
        found = sha256(evidence.files[name])
        wanted = {"name": name, "digest": {"sha256": found}}
        if one == wanted:
            continue
        if isinstance(one, dict) and one.get("name") == name:
            yield Problem(name, "", f"has the sha256 {found}, which the statement does not say of it")
        else:
            yield Problem(names.STATEMENT, f"subject[{number}]", f"is not about {name}")


def signer(evidence: Evidence, signers: Path | None) -> str:
    """Who signed: a principal of the allowed signers; without those, the key's fingerprint.

    Raises EvidenceError where the signature does not hold, OSError where `signers` cannot be read.
    """
    armour = _armour(evidence.files[names.SIGNATURE])
    if signers is not None:
        signers.read_bytes()
    with tempfile.TemporaryDirectory(prefix="tokassay-") as scratch:
        signature = Path(scratch) / names.SIGNATURE
        signature.write_bytes(armour)
        return _verified(evidence.files[names.STATEMENT], signature, signers)


def _verified(data: bytes, signature: Path, signers: Path | None) -> str:
    seal = ["-n", NAMESPACE, "-s", str(signature)]
    if signers is None:
        told = _asked(["check-novalidate", *seal], data, "does not hold")
        found = re.search(r"SHA256:\S+", told)
        return found[0] if found else told.strip()
    listed = ["-f", str(signers)]
    reason = "by none of the allowed signers"
    principals = _asked(["find-principals", "-s", str(signature), *listed], b"", reason).split("\n")
    _asked(["verify", *seal, *listed, "-I", principals[0]], data, "does not hold")
    return principals[0]


def _asked(words: Sequence[str], data: bytes, reason: str) -> str:
    try:
        done = subprocess.run(["ssh-keygen", "-Y", *words], input=data, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise OSError("ssh-keygen is not installed here") from error
    if done.returncode:
        told = (done.stderr or done.stdout).decode("utf-8", "replace").strip().split("\n")[-1]
        raise EvidenceError([Problem(names.SIGNATURE, "", f"{reason}{f' ({told})' if told else ''}")])
    return done.stdout.decode("utf-8", "replace")


def _armour(data: bytes) -> bytes:
    """The signature in the one form that ssh-keygen gives it, so that no byte of the file is free."""
    text = data.decode("ascii", "replace")
    body = "".join(text.split("\n")[1:-2])
    try:
        content = base64.b64encode(base64.b64decode(body, validate=True)).decode("ascii")
    except (binascii.Error, ValueError):
        content = ""
    rows = [content[at : at + WIDTH] for at in range(0, len(content), WIDTH)]
    if not content or "\n".join([BEGIN, *rows, END, ""]) != text:
        raise EvidenceError([Problem(names.SIGNATURE, "", "no SSH signature as ssh-keygen writes it")])
    return data
