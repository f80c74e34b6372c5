"""The evidence folder of one board run: which files it holds, and who writes them.

===================  ==========  ==================================================================
file                 written by  content
===================  ==========  ==================================================================
``request.json``     controller  `tokassay.device.request.Request`: run, nonce, selection, sha256 of inputs
``identity.json``    board       `tokassay.device.identity.Identity`
``conditions.jsonl`` board       one `tokassay.device.conditions.Snapshot` a line, in order of time
``results.jsonl``    board       the events of the run (`tokassay.verdicts.events`), header to footer
``samples.jsonl``    board       one `tokassay.device.samples.Series` a line, raw nanoseconds
``facts.json``       board       device files made on the board (sha256, statistics), ids by core
``transcript.txt``   board       what the run and its engines wrote to stdout and stderr
``outcome.json``     board       `Outcome`, the last file that is written: without it a run is not finished
``controller.json``  controller  how the board was reached: address, host key, when it was fetched
``host.json``        controller  `tokassay.device.hosted.Host`: what the reference answers there
``statement.json``   controller  in-toto Statement (`tokassay.device.statement`) over all of the above
``statement.json.sig`` signer    SSH signature of ``statement.json``
===================  ==========  ==================================================================

Only ``pid`` and ``progress.json`` lie beside them while a run is going on; they are no evidence.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping

REQUEST, IDENTITY, OUTCOME = "request.json", "identity.json", "outcome.json"
CONDITIONS, RESULTS, SAMPLES = "conditions.jsonl", "results.jsonl", "samples.jsonl"
FACTS, TRANSCRIPT, CONTROLLER = "facts.json", "transcript.txt", "controller.json"
HOST = "host.json"
STATEMENT, SIGNATURE = "statement.json", "statement.json.sig"
PID, PROGRESS = "pid", "progress.json"

#: What the board writes before its outcome, which holds their sha256.
BOARD_FILES = (IDENTITY, CONDITIONS, RESULTS, SAMPLES, FACTS, TRANSCRIPT)
#: What the statement is about, every one of them required.
SUBJECTS = (REQUEST, *BOARD_FILES, OUTCOME, CONTROLLER, HOST)
CHUNK = 1 << 20


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes:
        run: as in the request.
        nonce: as in the request.
        exit_code: as `tokassay run` answers it; 3 where the run itself could not go on.
        reason: "" or why it ended early.
        started: UTC in ISO 8601, by the board's clock.
        finished: likewise.
        seconds: between the two by the monotonic clock.
        cpu_seconds: of processor time that the run and those processes that it had ended took.
        boot_id: of the kernel at the end.
        pid: of the process that ran the suites and took the samples.
        peak_kib: its peak memory.
        children_kib: that of the processes that it started, together: seen every few seconds, and before
            each that started for one sample ends.
        together_kib: the most that it and they have held at a time, as seen then.
        files: file of `BOARD_FILES` → sha256.
        inputs: bundle, engine binary, model file → sha256, taken on the board.
    """

    run: str
    nonce: str
    exit_code: int
    reason: str
    started: str
    finished: str
    seconds: float
    cpu_seconds: float
    boot_id: str
    pid: int
    peak_kib: int
    children_kib: int
    together_kib: int
    files: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)


def sha256_of(path: Path) -> str:
    """Of a file, read piece by piece. Raises OSError."""
    found = hashlib.sha256()
    with open(path, "rb") as file:  # noqa: PTH123
        for chunk in iter(lambda: file.read(CHUNK), b""):
            found.update(chunk)
    return found.hexdigest()


def write_json(path: Path, value: Any) -> None:
    """A value (or dataclass) as one JSON file, whole or not at all."""
    plain = asdict(value) if hasattr(value, "__dataclass_fields__") else value
    replace(path, json.dumps(plain, indent=1, sort_keys=True).encode("ascii") + b"\n")


def replace(path: Path, data: bytes) -> None:
    """Write a file in a way that a crash leaves the old one or the new one."""
    partial = path.with_name(f".{path.name}.partial")
    with open(partial, "wb") as file:  # noqa: PTH123
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def read_json(path: Path) -> Dict[str, Any]:
    """A JSON object. Raises OSError, or ValueError where it is none."""
    found = json.loads(path.read_bytes())
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} holds no JSON object")  # noqa: TRY004 - what is wrong is the file
    return found


def read_lines(path: Path) -> Iterator[Dict[str, Any]]:
    """The objects of a JSON Lines file. Raises OSError or ValueError."""
    for line in path.read_bytes().split(b"\n"):
        if line:
            found = json.loads(line)
            if not isinstance(found, dict):
                raise ValueError(f"a line of {path.name} holds no JSON object")
            yield found
