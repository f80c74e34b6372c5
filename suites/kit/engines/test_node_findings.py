"""Findings in engines in Node come again: on our own tokenizers by default, on real ones nightly."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Callable

import pytest

from tokassay import data, engines

sys.path.insert(0, str(data.root()))  # tools/ is no package that is installed

from tools.newest.answering import answer

FOLDER = data.root() / "golden" / "findings"
OWN = data.root() / "golden" / "tokenizers"
IN_NODE = ("gpt-tokenizer", "hfjs", "js-tiktoken", "lenml", "llamacpp")


def rows_of(name: str) -> dict[str, list[dict[str, Any]]]:
    """Tokenizer → its rows."""
    found = defaultdict(list)
    for line in (FOLDER / f"{name}.jsonl").read_text("ascii").splitlines():
        row = json.loads(line)
        found[row["tokenizer"]].append(row)
    return found


def replay(name: str, path: Path, rows: list[dict[str, Any]]) -> list[Any]:
    """The answers that an engine of the version of the rows gives now."""
    engine = engines.open(name)
    try:
        assert {row["version"] for row in rows} == {engine.info.version}
        session = engine.load(str(path))
        return [answer(session, row) for row in rows]
    finally:
        engine.close()


def test_findings_of_the_core_engine_on_our_own_tokenizers_come_again():
    own = {name: rows for name, rows in rows_of("hfjs").items() if (OWN / name).is_dir()}
    assert own
    for name, rows in own.items():
        assert replay("hfjs", OWN / name / "tokenizer.json", rows) == [row["got"] for row in rows]


def test_a_second_text_is_part_of_a_finding():
    rows = [row for tokenizer in rows_of("hfjs").values() for row in tokenizer if "pair" in row]
    assert {row["kind"] for row in rows} == {"post-processor.pair-dropped"}
    assert all(row["got"] == row["expected"][:1] for row in rows)


PAIRS = [(name, tokenizer) for name in IN_NODE for tokenizer in rows_of(name)]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "tokenizer"), PAIRS)
def test_findings_come_again(name: str, tokenizer: str, file_of: Callable[[str], Path]):
    own = OWN / tokenizer / "tokenizer.json"
    rows, path = rows_of(name)[tokenizer], own if own.is_file() else file_of(tokenizer)
    assert replay(name, path, rows) == [row["got"] for row in rows]
