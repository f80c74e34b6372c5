"""A file of answers as an engine, and files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay import data, engines
from tokassay.checks.engine import UnavailableError

FILE = data.root() / "golden" / "tokenizers" / "llama3" / "tokenizer.json"


def test_two_answers_to_one_text_are_an_error(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text('{"text": "a", "ids": [1]}\n{"text": "a", "ids": [2]}\n', "utf-8")
    session = engines.open(f"file:{tmp_path / 'a.jsonl'}").load(str(FILE))
    with pytest.raises(Exception, match="lines 1 and 2 differ"):
        session.encode("a")


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), ("[1]\n", "neither id nor text"), ('{"id": "a/b"}', "no answer")],
)
def test_an_unusable_file_is_no_engine(content: str | None, message: str, tmp_path: Path):
    if content is not None:
        (tmp_path / "a.txt").write_text(content, "utf-8")
    with pytest.raises(UnavailableError, match=message):
        engines.open(f"file:{tmp_path / 'a.txt'}")


def test_an_engine_needs_a_file():
    with pytest.raises(UnavailableError, match="needs the path"):
        engines.open("file:")
