"""The second table (tools/newest): what it asks, what it makes of the answers, and one run of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tokassay import data

ROOT = data.root()
sys.path.insert(0, str(ROOT))  # tools/ is no package that is installed

from tools.newest import asked, trying  # noqa: E402
from tools.newest.page import page  # noqa: E402

LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (ROOT / "golden" / "newest.jsonl").read_text("ascii").splitlines()
]
COUNTED = ("again", "right", "otherwise")


def newest(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.newest", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def number(value: Any) -> int:
    return value if isinstance(value, int) else len(value)


def test_the_page_is_made_of_the_data():
    assert newest("--check").returncode == 0, "run: python -m tools.newest"


def test_a_page_of_other_data_is_told(tmp_path: Path):
    other = tmp_path / "newest.jsonl"
    other.write_text(json.dumps({**LINES[0], "newest": "99"}) + "\n")
    assert newest("--check", "--data", str(other)).returncode == 1


def test_the_table_has_every_engine_of_the_findings():
    assert [line["engine"] for line in LINES] == asked.names()
    assert all(line["pinned"] == asked.pinned(line["engine"]) for line in LINES)


@pytest.mark.parametrize("line", [line for line in LINES if line["newest"]], ids=lambda line: line["engine"])
def test_every_input_is_counted_once(line: dict[str, Any]):
    rows = [row for row in asked.findings() if row["engine"] == line["engine"]]
    kept = [row for row in rows if asked.SOURCE not in row["version"]]
    assert line["inputs"] == sum(number(line[key]) for key in COUNTED) == len(kept)


# -- answers that are given ------------------------------------------------------------------------------


def replaced(monkeypatch: pytest.MonkeyPatch, answer: Any, version: str) -> None:
    """An engine that answers with a function of the row, and is installed at once."""

    def ask(bench: Any, groups: Any) -> list[dict[str, Any]]:
        del bench
        return [{"version": version, "answers": [answer(row) for row in group.rows]} for group in groups]

    monkeypatch.setattr(trying.Bench, "ask", ask)
    monkeypatch.setattr(trying, "_installed", lambda *_: sys.executable)
    monkeypatch.setattr(
        asked, "_right", lambda *_: [{"tokenizer": "t", "op": "encode", "text": "x", "expected": [1]}]
    )


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda row: row.get("got"), "again"),
        (lambda row: row["expected"], "right"),
        (lambda _: [-1], "otherwise"),
    ],
    ids=["again", "right", "otherwise"],
)
def test_answers_are_told_apart(answer: Any, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    replaced(monkeypatch, answer, "99")
    line = trying.line("tuetoken", tmp_path)
    assert line["newest"] == "99"
    assert {name: number(line[name]) for name in COUNTED} == {
        name: line["inputs"] * (name == kind) for name in COUNTED
    }
    pairs = number(asked.equal_pairs()["tuetoken"]["encode"]) + number(
        asked.equal_pairs()["tuetoken"]["decode"]
    )
    assert (line["equal"], len(line["new"])) == ((pairs, 0) if kind == "right" else (0, pairs))
    shown = page([line])
    assert "| 1 newer |" in shown
    assert ("right now" in shown.partition("## tuetoken 99")[2]) == (kind == "right")


def test_what_cannot_be_installed_says_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def fails(*_: Any) -> str:
        return trying._done([sys.executable, "-c", "raise SystemExit('No matching distribution')"])

    monkeypatch.setattr(trying, "_installed", fails)
    line = trying.line("tokie", tmp_path)
    assert line["newest"] is None
    assert line["failed"].endswith("exit code 1, No matching distribution")
    assert "| does not run |" in page([line])
    assert line["failed"] in page([line])


# -- the network ----------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_one_engine_of_each_registry_is_installed_and_asked(tmp_path: Path):
    made = tmp_path / "newest.jsonl"
    told = newest("hfjs", "tuetoken", "--data", str(made), "--page", str(tmp_path / "newest.md"))
    assert told.returncode == 1, told.stderr  # there was no table
    found = {line["engine"]: line for line in map(json.loads, made.read_text("ascii").splitlines())}
    assert set(found) == {"hfjs", "tuetoken"}
    for line in found.values():
        (before,) = (one for one in LINES if one["engine"] == line["engine"])
        assert line["newest"], line["failed"]
        assert line["newest"] != before["newest"] or line == before
