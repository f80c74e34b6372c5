"""`vectors drift`: which answers other released versions of the oracle give.

Each version is installed into an environment of its own that is thrown away afterwards. The
answers that an older version refuses or lacks (a component that did not exist) count as changed,
and are told apart in the table.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from tokassay.checks.vector import INLINE
from tokassay.core.errors import TokassayError

from .making import targets_of
from .oracle import Oracle
from .rows import Row, given
from .storing import stored
from .targets import Target

ORACLE = "tokenizers"
#: A version that thinks longer about one answer counts as refusing it: some loop for ever.
SECONDS = 60.0


class DriftError(TokassayError):
    """A version of the oracle cannot be installed (no network, or no wheel for this Python)."""


@dataclass(frozen=True)
class Change:
    """One answer that differs from the golden one.

    Attributes:
        what: ``refused`` (an error instead of an answer), ``accepted`` (the other way round), or
            the fields that differ.
    """

    version: str
    vector: str
    kind: str
    tokenizer: str
    what: str


@dataclass(frozen=True)
class Drift:
    """All that one version answered: how many answers of each tokenizer were compared, and what differs."""

    version: str
    asked: Mapping[str, int]
    changes: tuple[Change, ...]

    @property
    def compared(self) -> int:
        return sum(self.asked.values())

    @property
    def unread(self) -> list[str]:
        """The tokenizers that the version refuses as a whole."""
        refused = Counter(change.tokenizer for change in self.changes if change.what == "refused")
        return [name for name, count in self.asked.items() if refused[name] == count and name != INLINE]


@contextmanager
def environment(version: str) -> Iterator[str]:
    """The Python of a throw-away environment that holds that version of `tokenizers` and nothing else."""
    with tempfile.TemporaryDirectory(prefix="tokassay-drift-") as folder:
        venv.create(folder, with_pip=False)
        python = str(Path(folder) / "bin" / "python")
        options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"]
        pip = [sys.executable, "-m", "pip", "--python", python, "install", *options, f"tokenizers=={version}"]
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        if done.returncode:
            said = (done.stderr.strip().split("\n") or [""])[-1]
            raise DriftError(f"tokenizers {version} cannot be installed: {said}")
        yield python


def drift(versions: Sequence[str], rows: Sequence[Row], targets: Mapping[str, Target]) -> Iterator[Drift]:
    """Compare version by version; DriftError when one cannot be installed."""
    for version in versions:
        with environment(version) as python:
            yield compare(python, version, rows, targets)


def compare(python: str, version: str, rows: Sequence[Row], targets: Mapping[str, Target]) -> Drift:
    """What the oracle of one Python answers to all rows, against the golden answers.

    Rows that another program answered (look-ups, templates, device files) say nothing about it.
    """
    groups: dict[str, list[tuple[Row, Target]]] = {}
    for row in rows:
        if row["oracle"]["name"] != ORACLE:
            continue
        for target in targets_of(row, targets):
            if target.name in row["expect"] and (target.path or "tokenizer" in row or "files" in row):
                groups.setdefault(target.name, []).append((row, target))
    with ThreadPoolExecutor(2) as pool:
        found = [
            each
            for part in pool.map(lambda group: _ask(python, version, group), groups.values())
            for each in part
        ]
    return Drift(version, {name: len(group) for name, group in groups.items()}, tuple(found))


def _ask(python: str, version: str, group: list[tuple[Row, Target]]) -> list[Change]:
    changes = []
    with Oracle(python, SECONDS) as oracle:
        for row, target in group:
            full = oracle.ask(given(row), target.path)
            golden = row["expect"][target.name]
            answer = stored(row, full, target.sha256, full="rest" not in golden)
            what = difference(golden, answer)
            if what:
                changes.append(Change(version, row["id"], row["kind"], target.name, what))
    return changes


def difference(golden: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """How an answer differs from the golden one, "" where it does not."""
    failed, fails = "error" in golden, "error" in answer
    if failed and fails:
        return ""
    if failed or fails:
        return "refused" if fails else "accepted"
    names = sorted(name for name in {*golden, *answer} if golden.get(name) != answer.get(name))
    return ", ".join(names)


HEAD = """# Drift of the oracle

Which golden answers other released versions of HF `tokenizers` give differently, as
`tokassay vectors drift` prints it. Long texts and whole vocabularies are left out. An answer is
*refused* where the version fails on the file or the text, *accepted* where it answers and the golden
answer is an error; else the fields that differ are named. Where a version cannot read a file at all,
every answer of that tokenizer counts as changed.
"""


def table(drifts: Sequence[Drift]) -> Iterator[str]:
    """The result as a Markdown page: a summary, then the details of every version."""
    yield HEAD
    yield "| version | answers compared | changed | of them in files it cannot read | vectors touched |"
    yield "|---|---|---|---|---|"
    for each in drifts:
        unread = sum(change.tokenizer in each.unread for change in each.changes)
        vectors = len({change.vector for change in each.changes})
        yield f"| {each.version} | {each.compared} | {len(each.changes)} | {unread} | {vectors} |"
    for each in drifts:
        yield f"\n## {each.version}\n"
        yield from _details(each) if each.changes else ("No answer differs.",)


def _details(one: Drift) -> Iterator[str]:
    """What it cannot read, then kinds of vectors with what differs in the answers of the others."""
    if one.unread:
        names = ", ".join(sorted(one.unread))
        yield f"Cannot read {len(one.unread)} of {len(one.asked)} tokenizers: {names}.\n"
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in one.changes:
        if change.tokenizer not in one.unread:
            groups.setdefault((change.kind, change.what), []).append(change)
    yield "| kind | what differs | answers | vectors | tokenizers |"
    yield "|---|---|---|---|---|"
    for (kind, what), changes in sorted(groups.items()):
        vectors = _listed({change.vector.partition("/")[2] for change in changes})
        names = _listed({change.tokenizer for change in changes})
        yield f"| {kind} | {what} | {len(changes)} | {vectors} | {names} |"


def _listed(names: set[str], most: int = 4) -> str:
    shown = sorted(names)
    rest = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + rest
