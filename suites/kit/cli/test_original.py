"""``run --original``: engines load an export, the answers are those of the file that it was made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay import data
from tokassay.cli import main

QWEN = data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json"
VECTORS = data.root() / "golden" / "vectors" / "encode" / "nfc-composition.jsonl"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """qwen as an exporter wrote it that leaves out normalizers."""
    written: Dict[str, Any] = json.loads(QWEN.read_text("utf-8"))
    path = tmp_path / "qwen.json"
    path.write_text(json.dumps({**written, "normalizer": None}), "utf-8")
    return path


def run(export: Path, *options: str) -> int:
    chosen = ["--suite", "encode", "--vectors", str(VECTORS)]
    chosen += ["--diagnose", "1"]
    return main(["run", "--engine", "reference", "--tokenizer", str(export), *chosen, *options])


def test_without_it_the_export_is_its_own_measure(export: Path):
    assert run(export) == 0


def test_with_it_what_the_export_lost_is_a_finding(export: Path, capsys: pytest.CaptureFixture[str]):
    assert run(export, "--original", "qwen") == 1
    out = capsys.readouterr().out
    assert "finding: reference / qwen / encode: " in out
    assert "the normalizer is not applied (NFC)" in out


def test_an_original_without_golden_answers_is_asked_now(export: Path, tmp_path: Path):
    unknown = tmp_path / "mine.json"
    unknown.write_text(json.dumps(json.loads(QWEN.read_text("utf-8"))), "utf-8")
    assert run(export, "--original", str(unknown)) == 1
    assert run(unknown, "--original", str(unknown)) == 0


def test_a_card_of_an_export_brings_both_files(export: Path, tmp_path: Path):
    cards = tmp_path / "cards"
    assert run(export, "--original", "qwen", "--cards", str(cards)) == 1
    card = cards / "reference-qwen-1"
    assert (card / "qwen.json").read_bytes() == export.read_bytes()
    assert (card / "tokenizer.json").read_bytes() == QWEN.read_bytes()
    words = next(
        line for line in (card / "README.md").read_text("utf-8").splitlines() if "    tokassay" in line
    )
    assert main([*words.split()[1:], "--diagnose", "0"]) == 1


@pytest.mark.parametrize("tokenizers", [[], ["qwen", "llama3"]], ids=["none", "two"])
def test_it_is_about_one_tokenizer(tokenizers: List[str], capsys: pytest.CaptureFixture[str]):
    chosen = [word for name in tokenizers for word in ("--tokenizer", name)]
    assert main(["run", "--engine", "reference", *chosen, "--original", "qwen"]) == 2
    assert "--original needs one --tokenizer" in capsys.readouterr().err


def test_a_card_of_an_export_says_why_its_tokenizer_is_whole(export: Path, tmp_path: Path):
    assert run(export, "--original", "qwen", "--cards", str(tmp_path / "cards")) == 1
    for card in (tmp_path / "cards").iterdir():
        assert "smaller one would have to be exported again" in (card / "README.md").read_text("utf-8")
        assert "exported again" in json.loads((card / "card.json").read_text("ascii"))["whole"]
