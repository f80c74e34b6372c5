"""What a verifier knows by itself: nonce, host key, and the files that should have run."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokassay.device import folder as names
from tokassay.device.cores import differing
from tokassay.device.hosted import unlike_host

from .evidence import Evidence, Json
from .reading import EvidenceError, Problem
from .sealing import sha256
from .selection import left_out

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Trust:
    """What does not come from the folder. Empty: not compared.

    Attributes:
        signers: allowed signers, as ssh-keygen has them.
        nonce: that the controller gave.
        host_key: fingerprint, ``SHA256:...``.
        known_hosts: one of its keys has to be the host's.
        bundle: the bundle that has to have run.
        archives: files that may be what else the run was sent: real tokenizers, chat templates.
        latency: latency is to be claimed: an emulated, throttled or short run is refused.
    """

    signers: Path | None = None
    nonce: str = ""
    host_key: str = ""
    known_hosts: Path | None = None
    bundle: Path | None = None
    archives: tuple[Path, ...] = ()
    latency: bool = False


def nonce(evidence: Evidence, trust: Trust) -> Iterator[Problem]:
    if trust.nonce and evidence.request["nonce"] != trust.nonce:
        reason = f"is {evidence.request['nonce']}, not the one that was given"
        yield Problem(names.REQUEST, "nonce", reason)


def host_key(evidence: Evidence, trust: Trust) -> Iterator[Problem]:
    """Raises OSError where the list of known hosts cannot be read."""
    found = evidence.controller["host_key"]
    if trust.host_key and found != trust.host_key:
        yield Problem(names.CONTROLLER, "host_key", f"is {found or 'empty'}, not {trust.host_key}")
    if trust.known_hosts is not None and found not in _fingerprints(trust.known_hosts):
        yield Problem(names.CONTROLLER, "host_key", f"{found or 'none'} is not in {trust.known_hosts.name}")


def _fingerprints(path: Path) -> set[str]:
    path.read_bytes()
    words = ["ssh-keygen", "-lf", str(path)]
    told = subprocess.run(words, capture_output=True, check=False).stdout.decode("utf-8", "replace")
    return {line.split()[1] for line in told.splitlines() if len(line.split()) > 1}


def bundle(evidence: Evidence, trust: Trust) -> Iterator[Problem]:
    """The bundle is this very file, and the results are of the tokenizers in it. Raises OSError."""
    if trust.bundle is None:
        return
    data = trust.bundle.read_bytes()
    if sha256(data) != evidence.request["bundle"]:
        reason = f"is {evidence.request['bundle']}; {trust.bundle.name} has {sha256(data)}"
        yield Problem(names.REQUEST, "bundle", reason)
        return
    sums = manifest(data)["sha256"]
    for number, one in enumerate(evidence.header.tokenizers):
        inside = sums.get(f"golden/tokenizers/{one['name']}/tokenizer.json")
        if inside is not None and inside != one["sha256"]:
            yield Problem(names.RESULTS, f"header.tokenizers[{number}].sha256", "is not that in the bundle")
    yield from left_out(evidence, data)


def manifest(data: bytes) -> Any:
    """What a bundle says of its content. Raises EvidenceError where it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return json.loads(archive.read(MANIFEST))
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise EvidenceError([Problem(MANIFEST, "", f"the bundle cannot be read: {error}")]) from error


def differing_host(evidence: Evidence, host: Json) -> Iterator[Problem]:
    """Answers and device files of the board that are not those of the host; a finding, no forgery."""
    board = sums(evidence)
    for where, reason in unlike_host(board["ids"], board["answers"], board["compiled"], host):
        yield Problem(names.FACTS if where.startswith("compiled.") else names.RESULTS, where, reason)


def sums(evidence: Evidence) -> Mapping[str, Json]:
    """What ``host.json`` is set beside, from the board's own lines."""
    told = evidence.told
    return {"ids": told.tally.ids(), "answers": told.answers, "compiled": evidence.facts["compiled"]}


def differing_cores(evidence: Evidence) -> Iterator[Problem]:
    """Ids that are not the same on every core; a finding, no forgery."""
    for where, reason in differing(evidence.facts["ids"]):
        yield Problem(names.FACTS, where, reason)
