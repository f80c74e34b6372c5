"""The own tokenizers: loaded by the oracle, made again to the byte, and of every component there is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest
import tokenizers

from tokassay import Tokenizer, data, formats
from tokassay.core.registry import discover

FOLDER = data.root() / "golden" / "tokenizers"
FILES = sorted(FOLDER.glob("*/tokenizer.json"))
NAMES = [path.parent.name for path in FILES]
PACKAGES = ("normalizers", "pretokenizers", "models", "postprocessors", "decoders")
SECTIONS = ("normalizer", "pre_tokenizer", "model", "post_processor", "decoder")
TEXTS = (
    "Hello world, it's 12345 caf\u00e9 \u4f60\u597d <mask> ABC;abc\n\n  two  spaces",
    "\u0e01\u0e32\u0e23 e\u0301 \U0001f600 \u2167 ACGTAC 1,000.5 (a+b) <s><s>",
)


def types(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("type"), str):
            yield value["type"]
        for item in value.values():
            yield from types(item)
    elif isinstance(value, list):
        for item in value:
            yield from types(item)


def test_every_component_is_used() -> None:
    for package, section in zip(PACKAGES, SECTIONS):
        used = {name for path in FILES for name in types(json.loads(path.read_text("utf-8"))[section])}
        assert used == set(discover(f"tokassay.core.{package}")), section


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < 2_500_000


def test_making_them_again_gives_the_same_bytes(tmp_path: Path) -> None:
    script = data.root() / "golden" / "make_tokenizers.py"
    environment = {**os.environ, "PYTHONHASHSEED": "5"}
    subprocess.run([sys.executable, str(script), "--out", str(tmp_path)], check=True, env=environment)
    assert sorted(path.parent.name for path in tmp_path.glob("*/tokenizer.json")) == NAMES
    for path in (*FILES, FOLDER / "README.md"):
        assert (tmp_path / path.relative_to(FOLDER)).read_bytes() == path.read_bytes()


@pytest.mark.nightly
def test_with_all_pairs_of_bytes_every_neighbour_shows(tmp_path: Path) -> None:
    script = data.root() / "golden" / "make_tokenizers.py"
    names = ["every-pair-ascending", "every-pair-descending"]
    subprocess.run([sys.executable, str(script), "--out", str(tmp_path), *names], check=True)
    for name in names:
        path = tmp_path / name / "tokenizer.json"
        theirs, ours = tokenizers.Tokenizer.from_file(str(path)), Tokenizer.from_file(path)
        assert theirs.get_vocab_size() == 65_792
        for first in range(0, 0x3000, 16):
            text = "a".join(map(chr, range(first, first + 16)))
            assert list(ours.encode(text).ids) == theirs.encode(text).ids


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_the_oracle_loads_it_and_agrees(path: Path) -> None:
    theirs, ours = tokenizers.Tokenizer.from_file(str(path)), Tokenizer.from_file(path)
    for text in TEXTS:
        assert list(ours.encode(text).ids) == theirs.encode(text).ids


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_written_again_the_oracle_reads_the_same(path: Path, tmp_path: Path) -> None:
    written = tmp_path / "tokenizer.json"
    formats.write(formats.read(path), written)
    theirs, again = tokenizers.Tokenizer.from_file(str(path)), tokenizers.Tokenizer.from_file(str(written))
    assert again.to_str() == theirs.to_str()
    assert [again.encode(text).ids for text in TEXTS] == [theirs.encode(text).ids for text in TEXTS]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_written_bytes_are_those_of_the_oracle(path: Path) -> None:
    """Where the oracle keeps what the file says, which is so for all of these."""
    expected: Any = tokenizers.Tokenizer.from_file(str(path)).to_str(pretty=True)
    assert formats.serialize(formats.read(path)).decode("utf-8") == expected
