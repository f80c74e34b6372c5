"""What a campaign leaves on disk: its state, one folder for each finding, the corpus."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Dict, FrozenSet, Iterator, List, Optional

from .target import Case, Found

FINDING = "finding.json"


@dataclass(frozen=True)
class Finding:
    """A case on which a target fails, with everything that is needed to try it again.

    `cause` is the alteration of the reference that answers as the engine does, where one was found.
    """

    target: str
    engine: str
    witness: str
    seed: int
    index: int
    case: Case
    found: Found
    cause: str = ""
    count: int = 1

    @property
    def key(self) -> str:
        """Findings with the same key are one."""
        return " / ".join((self.engine, self.target, self.cause or self.found.signature))

    @property
    def name(self) -> str:
        return f"{self.target}-{hashlib.sha256(self.key.encode('utf-8', 'replace')).hexdigest()[:10]}"

    @property
    def size(self) -> int:
        return len(json.dumps(self.case))

    @classmethod
    def of(cls, values: Dict[str, Any]) -> Finding:
        """Raises ValueError for what is no finding."""
        try:
            known = {name: values[name] for name in cls.__dataclass_fields__}
            return cls(**{**known, "found": Found(**values["found"])})
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a finding: {error}") from error


def read_finding(path: Path) -> Finding:
    """A finding's folder, or the file in it. Raises ValueError, OSError."""
    file = path / FINDING if path.is_dir() else path
    return Finding.of(json.loads(file.read_bytes()))


def write_json(path: Path, value: object) -> None:
    """Whole or not at all."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    beside.write_text(json.dumps(value, indent=1, default=_plain) + "\n", "ascii")
    beside.replace(path)


def _plain(value: object) -> object:
    if isinstance(value, (bytes, bytearray)):
        return {"hex": value.hex()}
    return list(value) if isinstance(value, (tuple, set, frozenset)) else str(value)


@dataclass
class State:
    """How far a campaign is. `next` is the case that each worker goes on with."""

    target: str
    engine: str
    seed: int
    workers: int
    next: List[int]
    execs: int = 0
    seconds: float = 0.0
    counts: Dict[str, int] = field(default_factory=dict)


@dataclass
class Store:
    """A campaign's folder."""

    folder: Path
    findings: Dict[str, Finding] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Path) -> Store:
        (folder / "findings").mkdir(parents=True, exist_ok=True)
        return cls(folder, {finding.key: finding for finding in stored(folder)})

    def state(self) -> Optional[State]:
        """What an earlier campaign has left. Raises ValueError where it cannot be read."""
        path = self.folder / "state.json"
        return State(**json.loads(path.read_bytes())) if path.is_file() else None

    def save(self, state: State) -> None:
        write_json(self.folder / "state.json", asdict(state))

    def keep(self, finding: Finding) -> bool:
        """Write it unless a smaller one is there already; whether its key is a new one."""
        known = self.findings.get(finding.key)
        if known is not None and known.size <= finding.size:
            return False
        count = finding.count if known is None else max(known.count, finding.count)
        self.findings[finding.key] = replace(finding, count=count)
        self._write(self.findings[finding.key])
        return known is None

    def rename(self, finding: Finding, cause: str) -> Finding:
        """The finding under its cause; of several with one cause the smallest stays."""
        self.drop(finding)
        named = replace(finding, cause=cause)
        self.keep(named)
        return self.findings[named.key]

    def drop(self, finding: Finding) -> None:
        self.findings.pop(finding.key, None)
        folder = self.place(finding)
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        if folder.is_dir():
            folder.rmdir()

    def place(self, finding: Finding) -> Path:
        return self.folder / "findings" / finding.name

    def _write(self, finding: Finding) -> None:
        folder = self.place(finding)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / FINDING, {**asdict(finding), "key": finding.key})
        (folder / "README.md").write_text(page(finding), "utf-8")


def page(finding: Finding) -> str:
    """A finding for people."""
    found = finding.found
    return "\n".join(
        [
            f"# {finding.engine}: {finding.cause or found.signature}",
            "",
            f"Target {finding.target}, case {finding.index} of {finding.seed}; right is {finding.witness}.",
            "",
            "```",
            f"case      {json.dumps(finding.case)[:600]}",
            f"expected  {str(found.expected)[:600]!a}",
            f"got       {str(found.got)[:600]!a}",
            "```",
            "",
            "To see it again (exit code 1 while it fails), from the folder above this one:",
            "",
            f"    tokassay replay {finding.name}",
            "",
        ]
    )


def stored(folder: Path) -> Iterator[Finding]:
    """The findings below a folder; what cannot be read is left out."""
    yield from filter(None, map(_readable, sorted(folder.rglob(FINDING))))


def _readable(path: Path) -> Optional[Finding]:
    try:
        return read_finding(path)
    except (ValueError, OSError):
        return None


def keys(base: Optional[Path]) -> FrozenSet[str]:
    """The keys of the findings that are known already."""
    return frozenset(finding.key for finding in stored(base)) if base is not None else frozenset()
