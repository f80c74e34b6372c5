"""``run --original``: engines load an export, the answers are those of the file that it was made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay import data, formats
from tokassay.cli import main
from tokassay.diagnosis.exporting import Export
from tokassay.engines import _gguf

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


# -- cards --------------------------------------------------------------------------------------------


def command(card: Path) -> List[str]:
    """The one that its page shows, without a search for findings."""
    lines = (card / "README.md").read_text("utf-8").splitlines()
    (words,) = (line.split()[1:] for line in lines if line.startswith("    tokassay"))
    return [*words, "--diagnose", "0"]


def tokens(card: Path) -> int:
    return len(json.loads((card / "tokenizer.json").read_text("utf-8"))["model"]["vocab"])


def test_a_card_of_an_export_brings_both_files_small(export: Path, tmp_path: Path):
    cards = tmp_path / "cards"
    assert run(export, "--original", "qwen", "--cards", str(cards), "--diagnose", "5") == 1
    card = cards / "reference-qwen-1"
    original, written = (json.loads((card / name).read_bytes()) for name in ("tokenizer.json", "qwen.json"))
    assert original["normalizer"] == {"type": "NFC"}
    assert written == {**original, "normalizer": None}
    assert tokens(card) <= 8
    assert "whole" not in json.loads((card / "card.json").read_text("ascii"))
    assert main(command(card)) == 1


# Format → a tokenizer that it cannot hold as it is, and a vector that shows it.
WRITTEN = {
    "mtok": ("qwen", "nfc-composition/e-acute"),
    "tokenizer.txt": ("gpt2", "digits/hex"),
    "vocab.bin": ("gpt2", "contractions/all-lower"),
    "gguf": ("qwen", "nfc-composition/e-acute"),
}


def exported(kind: str, tokenizer: str, folder: Path) -> Path:
    source, path = QWEN.parents[1] / tokenizer / "tokenizer.json", folder / f"model.{kind}"
    if kind == "gguf":
        _gguf.fill(_gguf.describe(formats.read(source)), path)
    else:
        assert main(["convert", str(source), str(path), "--to", kind, "--lossy"]) == 0
    return path


@pytest.mark.parametrize("kind", WRITTEN)
def test_an_engine_gets_a_smaller_export_in_every_format_that_is_written(kind: str, tmp_path: Path):
    tokenizer, vector = WRITTEN[kind]
    path = exported(kind, tokenizer, tmp_path)
    chosen = ["--tokenizer", str(path), "--original", tokenizer, "--suite", "encode", "--vector", vector]
    assert main(["run", "--engine", "reference", *chosen, "--cards", str(tmp_path / "cards")]) == 1
    card = next((tmp_path / "cards").iterdir())
    assert tokens(card) <= 16
    assert (card / path.name).stat().st_size < path.stat().st_size
    assert main(command(card)) == 1


def test_an_engine_that_loads_nothing_else_gets_one(tmp_path: Path):
    """MNN's wheel ends a text at NUL; every smaller .mtok shows it."""
    path = exported("mtok", "gpt2", tmp_path)
    chosen = ["--tokenizer", str(path), "--original", "gpt2", "--suite", "encode", "--vector", "nul/alone"]
    assert main(["run", "--engine", "mnn", *chosen, "--cards", str(tmp_path / "cards")]) == 1
    (card,) = (tmp_path / "cards").iterdir()
    assert tokens(card) <= 4
    assert main(command(card)) == 1


WORDS = b'{"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}'
SPM = data.root() / "golden" / "formats" / "bpe.model"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SPM.read_bytes(), "sentencepiece is a format that is only read here, or cannot hold it"),
        (WORDS, "one that is written anew does not fail in this way"),
    ],
    ids=["only-read", "another-tokenizer"],
)
def test_a_tokenizer_that_stays_whole_says_why(content: bytes, said: str, tmp_path: Path):
    path = tmp_path / "model.json"
    path.write_bytes(content)
    chosen = ["--tokenizer", str(path), "--original", "gpt2", "--suite", "encode", "--vector", "digits/hex"]
    assert main(["run", "--engine", "reference", *chosen, "--cards", str(tmp_path / "cards")]) == 1
    card = next((tmp_path / "cards").iterdir())
    assert said in (card / "README.md").read_text("utf-8")
    assert (card / "model.json").read_bytes() == content
    assert main(command(card)) == 1


def test_a_format_that_nobody_knows_is_not_written(tmp_path: Path):
    unknown, original = tmp_path / "model.own", tmp_path / "tokenizer.json"
    unknown.write_bytes(b"\xff" * 40)
    original.write_bytes(QWEN.read_bytes())
    export = Export.like(unknown, original)
    assert export.write(original) is None
    assert export.unwritten == "nothing here knows its format"


@pytest.mark.parametrize("tokenizers", [[], ["qwen", "llama3"]], ids=["none", "two"])
def test_it_is_about_one_tokenizer(tokenizers: List[str], capsys: pytest.CaptureFixture[str]):
    chosen = [word for name in tokenizers for word in ("--tokenizer", name)]
    assert main(["run", "--engine", "reference", *chosen, "--original", "qwen"]) == 2
    assert "--original needs one --tokenizer" in capsys.readouterr().err
