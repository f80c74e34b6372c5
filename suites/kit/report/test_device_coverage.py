"""The report of a run over the device formats: every clause of their pages is tried, passed and shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokassay.cli import main
from tokassay.report import coverage

PAGES = ("mtok", "tokenizer-txt", "vocab-bin")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    globs = [word for page in PAGES for word in ("--vector", f"{page}*")]
    options = ["--engine", "reference", "--jobs", "1", "--in-process", "--report", str(folder)]
    assert main(["run", *globs, *options]) == 0
    return folder


@pytest.mark.parametrize("page", PAGES)
def test_every_clause_of_a_device_format_is_tried_and_shown(page: str, report: Path) -> None:
    events = map(json.loads, (report / "results.jsonl").read_text("utf-8").splitlines())
    (counts,) = (event["clauses"] for event in events if event["event"] == "measured")
    (found,) = (one for one in coverage.pages({"reference": counts}) if one.name == page)
    assert [clause.anchor for clause in found.clauses if clause.state != "passed"] == []
    assert len(found.clauses) > 20
    text = (report / "report.html").read_text("utf-8")
    assert [clause.anchor for clause in found.clauses if clause.anchor not in text] == []
