"""What released engines answered once they answer again, and equal pairs stay equal (golden/findings)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Callable

import pytest
import tomllib

from tokassay import Tokenizer, data, engines
from tokassay.core.errors import TokassayError

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(data.root()))  # tools/ is no package that is installed

from tools.newest.answering import answer  # noqa: E402
from tools.newest.asked import equal_pairs, equal_to_the_oracle, findings  # noqa: E402
from tools.newest.files import Files  # noqa: E402

ROWS = findings()
# Engines that are Python packages; the others have their own tests.
PACKAGES = {name for name, adapter in engines.adapters().items() if getattr(adapter, "NATIVE", False)}
REPLAYED = [row for row in ROWS if row["engine"] in PACKAGES]


def test_every_finding_holds_two_answers_that_differ():
    assert [row for row in ROWS if row["expected"] == row["got"]] == []
    assert len(REPLAYED) == 315


def test_every_finding_names_engine_version_and_kind():
    assert all(row["version"] and "." in row["kind"] and row["engine"] for row in ROWS)
    assert {row["engine"] for row in REPLAYED} | set(equal_pairs()) <= set(engines.adapters())


def test_the_page_of_findings_is_made_of_the_data():
    made = subprocess.run([sys.executable, ROOT / "tools" / "make_findings.py", "--check"], check=False)
    assert made.returncode == 0, "run: python tools/make_findings.py"


def grouped() -> dict[tuple[str, str], list[Any]]:
    groups = defaultdict(list)
    for row in REPLAYED:
        held = row["tokenizer"]
        groups[row["engine"], held if isinstance(held, str) else f"{held['file']} {row['kind']}"].append(row)
    return groups


BROKEN = [row for row in ROWS if isinstance(row["tokenizer"], dict) and "hex" in row["tokenizer"]]


@pytest.mark.parametrize("row", BROKEN, ids=lambda row: f"{row['engine']} {row['kind']}")
def test_a_broken_file_is_refused_by_the_reference(row: Any, files: Files):
    path = files.loaded(row["engine"], row["tokenizer"])
    assert row["expected"] == "error"
    with pytest.raises(TokassayError):
        Tokenizer.from_file(path).encode(row.get("text", ""))


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "tokenizer"), list(grouped()))
def test_findings_come_again(name: str, tokenizer: str, file_of: Callable[[str], Path], files: Files):
    rows = grouped()[name, tokenizer]
    config = f":{file_of(rows[0]['config'])}" if "config" in rows[0] else ""
    engine = engines.open(name + config, isolate=True)
    assert engine.info.version == rows[0]["version"]
    held = rows[0]["tokenizer"]
    session = engine.load(str(file_of(held) if isinstance(held, str) else files.loaded(name, held)))
    assert [answer(session, row) for row in rows] == [row["got"] for row in rows]
    engine.close()


@pytest.mark.nightly
@pytest.mark.parametrize("name", equal_pairs())
def test_equal_pairs_answer_as_the_oracle(name: str, files: Files):
    """On every text on which some engine differs from the oracle with that tokenizer, but the listed ones."""
    for group in equal_to_the_oracle(name, files):
        engine = engines.open(name, isolate=True)
        session = engine.load(str(files.tokenizer(group.tokenizer)))
        wrong = [row for row in group.rows if answer(session, row) != row["expected"]]
        assert not wrong, group.tokenizer
        engine.close()


def encoded(session: Any, text: str) -> Any:
    return answer(session, {"op": "encode", "text": text})


@pytest.mark.nightly
def test_a_textbook_implementation_differs_on_added_tokens_and_new_letters(
    file_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "impl"), str(Path(__file__).parent)]))
    engine = engines.open("py:textbook_bpe:Textbook")
    session = engine.load(str(file_of("llama3_1")))
    assert encoded(session, "<|begin_of_text|>") == [
        27,
        91,
        7413,
        3659,
        4424,
        91,
        29,
    ]  # not 128000
    assert encoded(session, " \U00011de2") == [
        220,
        172,
        239,
        115,
        95,
    ]  # not [109697, 239, 115, 95]
    assert encoded(session, "Hello world") == [9906, 1917]
    engine.close()


def test_the_extra_pins_the_versions_that_the_findings_are_about():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    pins = dict(pin.split("==") for pin in extras["engines"] + extras["engines-core"] if "==" in pin)
    for row in REPLAYED:
        assert pins[engines.adapters()[row["engine"]].DISTRIBUTIONS[0]] == row["version"]


@pytest.mark.parametrize("name", sorted(engines.adapters()))
def test_the_page_of_engines_names_every_adapter(name: str):
    assert re.search(rf"`{name}[`:\[]", (ROOT / "docs" / "engines.md").read_text("utf-8"))
