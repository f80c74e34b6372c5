"""MNN's wheel: what it answered once it answers again (golden/findings/mnn.jsonl)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay import data, engines, formats
from tokassay.checks.engine import CrashError, UnavailableError
from tokassay.checks.vector import read_vectors
from tokassay.formats.mtok.companion import with_device
from tokassay.formats.mtok.projecting import project
from tokassay.formats.mtok.writing import written

sys.path.insert(0, str(data.root()))  # tools/ is no package that is installed

from tools.newest.answering import answers
from tools.newest.files import Files

Row = Dict[str, Any]
WHEEL = "3.6.1"
ROWS: List[Row] = [
    json.loads(line)
    for line in (data.root() / "golden" / "findings" / "mnn.jsonl").read_text("ascii").splitlines()
]
TEXT_ROWS = [row for row in ROWS if row["op"] != "template"]
SMALL = [row for row in TEXT_ROWS if isinstance(row["tokenizer"], dict)]
REAL = [row for row in TEXT_ROWS if isinstance(row["tokenizer"], str)]
TEMPLATES = [row for row in ROWS if row["op"] == "template"]


@pytest.fixture(scope="module")
def mnn() -> Any:
    engine = engines.open("mnn")
    yield engine
    engine.close()


def name(row: Row) -> str:
    return f"{row['kind']}-{row.get('text', row.get('ids'))!a}"[:60]


def expected(row: Row) -> object:
    """A finding in the source alone is none in the wheel: there the pair is right."""
    return row["got"] if row["version"] == WHEEL else row["expected"]


@pytest.mark.parametrize("row", SMALL, ids=name)
def test_findings_on_small_tokenizers_come_again(row: Row, mnn: Any, files: Files):
    path = str(files.loaded("mnn", row["tokenizer"]))
    assert answers(mnn, path, [row]) == [expected(row)]


@pytest.mark.nightly
@pytest.mark.parametrize("row", REAL, ids=name)
def test_findings_on_real_tokenizers_come_again(row: Row, mnn: Any, files: Files):
    path = str(files.loaded("mnn", row["tokenizer"]))
    assert answers(mnn, path, [row]) == [expected(row)]


@pytest.mark.nightly
@pytest.mark.parametrize("tokenizer", ["llama2", "gemma3"])
def test_what_agrees_raises_no_alarm(tokenizer: str, mnn: Any, files: Files):
    """On these two the wheel answers every text of the suite like the oracle, but for NUL, where it stops."""
    session = mnn.load(str(files.exported(tokenizer)))
    wrong, tried = [], 0
    for vector in read_vectors(data.root() / "golden" / "vectors" / "encode"):
        text, answer = str(vector.given.get("text", "\0")), vector.expect.get(tokenizer, {})
        if "\0" in text or "pair" in vector.given or "ids" not in answer:
            continue
        tried += 1
        if list(session.encode(text, add_special_tokens=False).ids) != answer["ids"]:
            wrong.append(vector.id)
    assert tried > 800
    assert wrong == []


def test_templates_come_out_as_found():
    given = "".join(json.dumps(row["template"]) + "\n" for row in TEMPLATES)
    run = subprocess.run(
        [sys.executable, "-m", "tools.newest.rendering"],
        cwd=data.root(),
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert [json.loads(line) for line in run.stdout.splitlines()] == [row["got"] for row in TEMPLATES]


def test_every_row_is_a_divergence():
    assert [row for row in ROWS if row["expected"] == row["got"]] == []
    assert len(ROWS) >= 90


def test_a_nul_ends_the_text_and_half_a_surrogate_pair_the_process(mnn: Any, files: Files):
    session = mnn.load(str(files.loaded("mnn", SMALL[0]["tokenizer"])))
    assert list(session.encode("a\0b").ids) == list(session.encode("a").ids)
    with pytest.raises(CrashError, match="SIGSEGV"):
        session.encode("\ud800")
    assert session.encode("a").ids


def test_bytes_are_taken_as_they_are(mnn: Any, files: Files):
    session = mnn.load(str(files.loaded("mnn", SMALL[0]["tokenizer"])))
    assert list(session.encode_bytes(b"ab").ids) == list(session.encode("ab").ids) != []
    assert session.decode_bytes([11]) == b"A"


def test_an_argument_is_refused():
    with pytest.raises(UnavailableError, match="takes no argument"):
        engines.open("mnn:x")


def test_a_special_token_is_taken_off_by_the_header(mnn: Any, tmp_path: Path):
    spec = dict(SMALL[0]["tokenizer"])
    described = formats.parse(json.dumps(spec).encode())
    path = tmp_path / "prefixed.mtok"
    path.write_bytes(written(project(with_device(described, tmp_path, prefix=[1]))))
    session = mnn.load(str(path))
    assert list(session.encode("a").ids) == [1, 0]
    assert list(session.encode("a", add_special_tokens=False).ids) == [0]
