"""The newest version of an engine, installed by itself and asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from tokassay import data

from .asked import Group, Row, equal_to_the_oracle, findings, found_in, packages, pinned
from .files import Files

LATEST = "latest"


class FailedError(Exception):
    """A command that did not work: what it was, and the last line that it said."""


def line(engine: str, folder: Path) -> Dict[str, Any]:
    """One line of the table: what the newest version does with what the pinned one was asked."""
    head = {"engine": engine, "package": packages(engine)[1][0], "pinned": pinned(engine)}
    try:
        return {**head, **_counted(Bench.of(engine, folder))}
    except FailedError as error:
        return {**head, "newest": None, "failed": str(error)}


@dataclass(frozen=True)
class Bench:
    """An interpreter that has the newest version, and the files that it loads."""

    engine: str
    python: str
    files: Files

    @staticmethod
    def of(engine: str, folder: Path) -> Bench:
        folder.mkdir(parents=True, exist_ok=True)
        registry, names = packages(engine)
        # Packages for Node go into the user's cache, by their versions.
        python = sys.executable if registry == "npm" else _installed(folder / "venv", names)
        return Bench(engine, python, Files(folder))

    def ask(self, groups: Sequence[Group]) -> List[Dict[str, Any]]:
        """Version and answers of each group. Raises FailedError."""
        version = LATEST if packages(self.engine)[0] == "npm" else ""
        asked = {"groups": [group.request(self.files, version) for group in groups]}
        answers = self.files.folder / "answers.json"
        self._run("answering", json.dumps(asked), str(answers))
        found: List[Dict[str, Any]] = json.loads(answers.read_text("utf-8"))
        return found

    def rendered(self, rows: Sequence[Row]) -> List[str]:
        """Answers to rows about templates. Raises FailedError."""
        if not rows:
            return []
        said = self._run("rendering", "".join(json.dumps(row["template"]) + "\n" for row in rows))
        return [json.loads(one) for one in said.splitlines()]

    def _run(self, module: str, given: str, *words: str) -> str:
        command = [self.python, "-m", f"tools.newest.{module}", *words]
        path = os.pathsep.join([str(data.root()), str(data.root() / "impl")])
        return _done(command, given, {**os.environ, "PYTHONPATH": path})


def _installed(folder: Path, names: Sequence[str]) -> str:
    """An interpreter with the newest versions of some packages and nothing else. Raises FailedError."""
    python = str(folder / "bin" / "python")
    if not Path(python).exists():
        venv.create(folder, with_pip=True)
    _done([python, "-m", "pip", "install", "--quiet", "--upgrade", *names])
    return python


def _done(command: Sequence[str], given: str = "", environment: Mapping[str, str] = os.environ) -> str:
    done = subprocess.run(
        command, input=given, env=dict(environment), capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = [one for one in (done.stderr or done.stdout).splitlines() if one.strip()] or ["nothing"]
        shown = " ".join(["python", *command[1:]])
        raise FailedError(f"{shown}: exit code {done.returncode}, {said[-1].strip()}")
    return done.stdout


def _counted(bench: Bench) -> Dict[str, Any]:
    found, equal = found_in(bench.engine), equal_to_the_oracle(bench.engine, bench.files)
    answered = bench.ask([*found, *equal])
    pairs = list(_paired(found, answered)) + list(_templates(bench))
    wrong = [(row, got) for row, got in _paired(equal, answered[len(found) :]) if got != row["expected"]]
    return {
        "newest": answered[0]["version"],
        "inputs": len(pairs),
        "again": sum(got == row["got"] for row, got in pairs),
        "right": [_told(row) for row, got in pairs if got == row["expected"]],
        "otherwise": [_told(row, got) for row, got in pairs if got not in (row["got"], row["expected"])],
        "equal": sum(len(group.rows) for group in equal) - len(wrong),
        "new": [_told(row, got) for row, got in wrong],
    }


def _paired(groups: Sequence[Group], answered: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Row, Any]]:
    for group, said in zip(groups, answered):
        yield from zip(group.rows, said["answers"])


def _templates(bench: Bench) -> Iterator[tuple[Row, Any]]:
    rows = [row for row in findings() if row["engine"] == bench.engine and row["op"] == "template"]
    yield from zip(rows, bench.rendered(rows))


def _told(row: Row, *got: Any) -> Dict[str, Any]:
    """What identifies a row, and the answer where it is another one than before."""
    kept = ("tokenizer", "config", "op", "text", "pair", "ids", "template", "kind", "expected")
    return {key: row[key] for key in kept if key in row} | ({"got": got[0]} if got else {})
