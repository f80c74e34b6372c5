"""A small data folder, which the package takes for its own: one tokenizer and one vector."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tokassay import data

LETTERS = json.loads(Path(__file__).with_name("letters.json").read_text("utf-8"))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, which the package takes for its own."""
    golden = tmp_path / "golden"
    (golden / "vectors" / "encode").mkdir(parents=True)
    shutil.copytree(data.root() / "golden" / "schema", golden / "schema")
    (golden / "tokenizers" / "letters").mkdir(parents=True)
    (golden / "tokenizers" / "letters" / "tokenizer.json").write_text(json.dumps(LETTERS["tokenizer"]))
    (golden / "zoo.toml").write_text("")
    (tmp_path / "docs" / "spec").mkdir(parents=True)
    (tmp_path / "docs" / "spec" / "models.md").write_text("### `model.bpe`\nMerges, lowest rank first.\n")
    (golden / "vectors" / "encode" / "letters.jsonl").write_text(json.dumps(LETTERS["row"]) + "\n")
    monkeypatch.setattr(data, "root", lambda: tmp_path)
    monkeypatch.setenv("TOKASSAY_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def file(root: Path) -> Path:
    return root / "golden" / "vectors" / "encode" / "letters.jsonl"
