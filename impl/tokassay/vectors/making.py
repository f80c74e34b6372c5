"""`vectors make`: ask the oracle for every answer that is missing or out of date.

A row's own fields are its input; ``expect``, ``oracle`` and ``hash`` are computed. An answer is
kept where the row's hash is right, the oracle's version is the same and the tokenizer's sha256
is the same. Answers of zoo tokenizers that are not on this machine are kept as they are, or
dropped where the input changed.
"""

from __future__ import annotations

import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Sequence

from tokassay.checks.vector import DIGITS, INLINE, is_about, row_hash

from . import scanning
from .oracle import Oracle
from .rows import Row, arranged, given, read_folder, write_file
from .storing import inline_sha256, stored
from .targets import Target

Say = Callable[[str], None]


@dataclass(frozen=True)
class Made:
    """What a run of `make` did: answers computed, answers kept, answers dropped, files written."""

    computed: int
    kept: int
    dropped: int
    written: tuple[Path, ...]


@dataclass(frozen=True)
class Task:
    """One answer to ask for."""

    row: Row
    target: Target


def targets_of(row: Mapping[str, Any], targets: Mapping[str, Target]) -> list[Target]:
    """The tokenizers that a row is for: its own, the ones it names, else all."""
    if {"tokenizer", "files", "file"} & set(row):
        return [Target(INLINE, inline_sha256(row), own=True, path=None)]
    if "tokenizers" in row:
        return [targets[name] for name in row["tokenizers"] if name in targets]
    return list(targets.values())


def make(
    folder: Path, targets: Mapping[str, Target], *, again: Sequence[str] = (), say: Say = lambda _: None
) -> Made:
    """Bring every vector file below a folder up to date; vectors whose id fits a glob are asked again."""
    files = read_folder(folder)
    with Oracle() as oracle:
        version = oracle.version
    rows = [row for rows in files.values() for row in rows]
    plans = [_plan(row, targets, version, again) for row in rows]
    tasks = [task for _, plan in plans for task in plan]
    dropped = sum(len(row.get("expect", {})) - len(kept) for row, (kept, _) in zip(rows, plans))
    for row, (kept, _) in zip(rows, plans):
        row["expect"], row["oracle"] = dict(kept), _answering(row, version)
    _compute(tasks, say)
    written = tuple(p for p, content in files.items() if write_file(p, map(arranged, content)))
    return Made(len(tasks), sum(len(kept) for kept, _ in plans), dropped, written)


def _plan(
    row: Row, targets: Mapping[str, Target], version: str, again: Sequence[str]
) -> tuple[Mapping[str, Any], list[Task]]:
    """The answers to keep and the answers to ask for. What a clause says, nobody is asked.

    Answers about chat templates are those of golden/make_templates.py.
    """
    if row["op"] == "template":
        return row["expect"], []
    if "file" in row:
        own = {**row["expect"][INLINE], "sha256": inline_sha256(row)[:DIGITS]}
        return {INLINE: dict(sorted(own.items(), key=lambda item: item[0] != "sha256"))}, []
    asked = any(fnmatchcase(row["id"], glob) for glob in again)
    same = not asked and row.get("hash") == row_hash(row) and row["oracle"] == _answering(row, version)
    had = row.get("expect", {}) if same else {}
    wanted = targets_of(row, targets)
    kept = {each.name: had[each.name] for each in wanted if _fresh(had.get(each.name), each)}
    askable = (each for each in wanted if each.path or each.name == INLINE)
    return kept, [Task(row, each) for each in askable if each.name not in kept]


def _answering(row: Row, version: str) -> Mapping[str, str]:
    """Who answers: the oracle; for files of other formats the clauses of docs/spec, by hand; or a scan.

    For chat templates it is whoever answered.
    """
    if row["op"] == "template":
        return row["oracle"]  # type: ignore[no-any-return]
    if row["op"] == "lookup":
        return {"name": "scan", "version": scanning.VERSION}
    return {"name": "clause", "version": "1"} if "file" in row else {"name": "tokenizers", "version": version}


def _fresh(had: Any, target: Target) -> bool:
    return had is not None and is_about(had, target.sha256)


def _compute(tasks: list[Task], say: Say) -> None:
    """Ask, tokenizer by tokenizer, with one oracle process for each of two cores."""
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.target.name].append(task)
    workers = max(1, min(2, os.cpu_count() or 1, len(groups)))
    with ThreadPoolExecutor(workers) as pool:
        for name, count in pool.map(_ask_group, groups.values()):
            say(f"{name}: {count} answers")


def _ask_group(tasks: list[Task]) -> tuple[str, int]:
    with Oracle() as oracle:
        for task in tasks:
            full = _answer(oracle, task)
            whole = task.target.own and task.row["source"]["kind"] != "fuzz"
            answer = stored(task.row, full, task.target.sha256, full=whole)
            task.row["expect"][task.target.name] = answer
    return tasks[0].target.name, len(tasks)


def _answer(oracle: Oracle, task: Task) -> Mapping[str, Any]:
    if task.row["op"] == "lookup":
        return {"drafts": scanning.drafts(task.row)}
    return oracle.ask(given(task.row), task.target.path)


def describe(made: Made) -> Iterator[str]:
    """What `make` did, line by line."""
    yield f"{made.computed} answers computed, {made.kept} kept, {made.dropped} out of date"
    yield from (f"written: {path}" for path in made.written)
