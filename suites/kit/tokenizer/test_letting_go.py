"""A tokenizer that nobody holds is gone at once: its tables are large, and few objects for the collector."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest

from tokassay import Tokenizer, formats

GOLDEN = Path(__file__).parents[3] / "golden"
FILES = sorted((GOLDEN / "tokenizers").glob("*/tokenizer.json"))
FILES = [path for path in FILES if path.parent.name != "padded-to-longest"]  # which takes pairs only
FILES += sorted(path for path in (GOLDEN / "formats").iterdir() if path.suffix != ".txt")
DEVICE = (
    ("llama2-like", "mtok"),
    ("qwen", "mtok"),
    ("bert-uncased", "mtok"),
    ("t5", "mtok"),
    ("qwen", "vocab.bin"),
)
TEXTS = ("Hello, world", "na\u00efve \u65e5\u672c\u8a9e\n  x = [1, 2]" * 200, "\u65e5\u672c " * 1000)


def used(path: Path) -> Tokenizer:
    """Every table that a text may need is made."""
    tokenizer = Tokenizer.from_file(path)
    for text in TEXTS:
        encoding = tokenizer.encode(text)
        assert len(encoding.tokens) == len(encoding.ids)
        tokenizer.decode(encoding.ids)
        stream = tokenizer.decode_stream()
        assert isinstance("".join(stream.step(index) or "" for index in encoding.ids[:20]), str)
    return tokenizer


def is_gone(path: Path) -> bool:
    gc.collect()
    gc.disable()
    try:
        tokenizer = used(path)
        model = ref(tokenizer.description.model)
        assert model() is not None
        del tokenizer
        return model() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_used_tokenizer_leaves_nothing_to_the_collector(path: Path):
    assert is_gone(path)


@pytest.mark.parametrize(("name", "kind"), DEVICE)
def test_nor_does_one_of_a_device_file(name: str, kind: str, tmp_path: Path):
    made = tmp_path / f"tokenizer.{kind}"
    source = formats.read(GOLDEN / "tokenizers" / name / "tokenizer.json")
    formats.write(formats.project(source, kind), made, format=kind)
    assert is_gone(made)
