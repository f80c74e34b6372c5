"""What released engines answered once they answer again, and equal pairs stay equal (golden/findings)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Callable

import pytest
import tomllib

from tokassay import data, engines
from tokassay.checks.engine import CrashError, EngineError, FaultError

ROOT = Path(__file__).parents[3]
FOLDER = data.root() / "golden" / "findings"
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for file in sorted(FOLDER.glob("*.jsonl"))
    for line in file.read_text("ascii").splitlines()
]
# Engines that are Python packages; the others have their own tests.
PACKAGES = {name for name, adapter in engines.adapters().items() if getattr(adapter, "NATIVE", False)}
REPLAYED = [row for row in ROWS if row["engine"] in PACKAGES]
EQUAL: dict[str, dict[str, list[str]]] = json.loads((FOLDER / "equal.json").read_text("ascii"))
FAILURES = {FaultError: "error", CrashError: "crash"}


def test_every_finding_holds_two_answers_that_differ():
    assert [row for row in ROWS if row["expected"] == row["got"]] == []
    assert len(REPLAYED) == 311


def test_every_finding_names_engine_version_and_kind():
    assert all(row["version"] and "." in row["kind"] and row["engine"] for row in ROWS)
    assert {row["engine"] for row in REPLAYED} | set(EQUAL) <= set(engines.adapters())


def test_the_page_of_findings_is_made_of_the_data():
    made = subprocess.run([sys.executable, ROOT / "tools" / "make_findings.py", "--check"], check=False)
    assert made.returncode == 0, "run: python tools/make_findings.py"


def answer(session: Any, op: str, given: Any) -> Any:
    """Without special tokens when encoding and with them when decoding; how it failed where it did."""
    able = session.info.capabilities
    try:
        if op == "encode":
            options = {"add_special_tokens": False} if "add_special" in able else {}
            return list(session.encode(*given, **options).ids)
        options = {"skip_special_tokens": False} if "skip_special" in able else {}
        return session.decode(given, **options)
    except EngineError as error:
        return FAILURES[type(error)]


def given(row: dict[str, Any]) -> Any:
    """The text, and the second one where there is one; or the ids."""
    return (row["text"], row.get("pair")) if row["op"] == "encode" else row["ids"]


def grouped() -> dict[tuple[str, str], list[dict[str, Any]]]:
    groups = defaultdict(list)
    for row in REPLAYED:
        groups[row["engine"], row["tokenizer"]].append(row)
    return groups


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "tokenizer"), list(grouped()))
def test_findings_come_again(name: str, tokenizer: str, file_of: Callable[[str], Path]):
    rows = grouped()[name, tokenizer]
    config = f":{file_of(rows[0]['config'])}" if "config" in rows[0] else ""
    engine = engines.open(name + config, isolate=True)
    assert engine.info.version == rows[0]["version"]
    session = engine.load(str(file_of(tokenizer)))
    assert [answer(session, row["op"], given(row)) for row in rows] == [row["got"] for row in rows]
    engine.close()


PAIRS = [(name, op, one) for name, ops in EQUAL.items() for op, found in ops.items() for one in found]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "op", "tokenizer"), PAIRS)
def test_equal_pairs_answer_as_the_oracle(name: str, op: str, tokenizer: str, file_of: Callable[[str], Path]):
    """On every text on which some engine differs from the oracle with that tokenizer, but the listed ones."""
    path = str(file_of(tokenizer))
    oracle, engine = engines.open("hf").load(path), engines.open(name, isolate=True)
    session = engine.load(path)
    inputs = texts(name, tokenizer)
    if op == "decode":
        inputs = [answer(oracle, "encode", one) for one in inputs]
    wrong = [one for one in inputs if answer(session, op, one) != answer(oracle, op, one)]
    assert not wrong
    engine.close()


def texts(name: str, tokenizer: str) -> list[Any]:
    rows = [row for row in ROWS if (row["op"], row["tokenizer"]) == ("encode", tokenizer)]
    listed = [row["text"] for row in rows if row["engine"] == name]
    return [(row["text"],) for row in rows if row["text"] not in listed]


@pytest.mark.nightly
def test_a_textbook_implementation_differs_on_added_tokens_and_new_letters(
    file_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "impl"), str(Path(__file__).parent)]))
    engine = engines.open("py:textbook_bpe:Textbook")
    session = engine.load(str(file_of("llama3_1")))
    assert answer(session, "encode", ["<|begin_of_text|>"]) == [
        27,
        91,
        7413,
        3659,
        4424,
        91,
        29,
    ]  # not 128000
    assert answer(session, "encode", [" \U00011de2"]) == [
        220,
        172,
        239,
        115,
        95,
    ]  # not [109697, 239, 115, 95]
    assert answer(session, "encode", ["Hello world"]) == [9906, 1917]
    engine.close()


def test_the_extra_pins_the_versions_that_the_findings_are_about():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    pins = dict(pin.split("==") for pin in extras["engines"] + extras["engines-core"] if "==" in pin)
    for row in REPLAYED:
        assert pins[engines.adapters()[row["engine"]].DISTRIBUTIONS[0]] == row["version"]


@pytest.mark.parametrize("name", sorted(engines.adapters()))
def test_the_page_of_engines_names_every_adapter(name: str):
    assert re.search(rf"`{name}[`:\[]", (ROOT / "docs" / "engines.md").read_text("utf-8"))
