"""Greedy matching against BPE on text: every line is counted once, each kind of difference has its cause."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokassay import Tokenizer, data, formats
from tokassay.cli import main
from tokassay.diagnosis.greedy import KINDS, Cost, cost

OWN = data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json"


@pytest.fixture(scope="module")
def pair() -> tuple[Tokenizer, Tokenizer]:
    description = formats.read(OWN)
    return Tokenizer(description), Tokenizer(formats.project(description, "vocab.bin"))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("};\n", "line feeds"),
        ("  in the", "spaces lost"),
        ("in\tthe", "bytes unmatched"),
        ("e\u0301", "normalized"),
    ],
)
def test_a_difference_has_its_kind(pair: tuple[Tokenizer, Tokenizer], line: str, kind: str):
    found = cost(*pair, [line])
    assert (found.equal, dict(found.kinds), found.examples) == (0, {kind: 1}, {kind: line})


def test_equal_lines_have_no_kind(pair: tuple[Tokenizer, Tokenizer]):
    assert cost(*pair, ["in the", "a"]).equal == 2


def test_every_line_of_the_corpus_is_counted_once(capsys: pytest.CaptureFixture[str]):
    assert main(["parity", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["kinds"]) <= set(KINDS)
    assert found["equal"] + sum(found["kinds"].values()) == found["lines"] > 100
    assert {"line feeds", "spaces lost", "bytes unmatched"} <= set(found["kinds"])


def test_the_shortest_example_is_kept():
    found = Cost()
    for line in ("long line", "short", "longer line"):
        found.add("spaces lost", line)
    assert found.examples == {"spaces lost": "short"}


def test_texts_and_table_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text, table = tmp_path / "text.txt", tmp_path / "vocab.bin"
    text.write_text("in the\n  in the\n")
    assert main(["convert", "qwen", str(table)]) == 0
    assert main(["parity", "--table", str(table), "--corpus", str(text)]) == 0
    assert "spaces lost           1 lines" in capsys.readouterr().out


def test_no_text_is_a_usage_error(tmp_path: Path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert main(["parity", "--corpus", str(empty)]) == 2
