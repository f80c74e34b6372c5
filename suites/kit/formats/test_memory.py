"""Loading takes no more memory than four times the file and 64 MB: files of real size (nightly)."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from itertools import islice, product
from pathlib import Path

import pytest

from tokassay import data, formats, zoo
from tokassay.engines._gguf import vocabulary_gguf

pytestmark = pytest.mark.nightly
ROOM = 64 << 20
CHILD = """
import re, sys
from tokassay import Tokenizer
from tokassay.formats.codec import codecs
codecs()
held = lambda name: int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
before = held("VmRSS")
Tokenizer.from_file(sys.argv[1])
print(held("VmHWM") - before)
"""
PUBLISHED = ("qwen3", "j2_sp", "mistral_v7_sp", "qwen_ranks", "tekken_240718", "tekken_240911", "clip_merges")
WRITTEN = ("tokenizer.mtok", "vocab.bin", "tokenizer.txt")


def grown(path: Path) -> int:
    """Bytes that a process of its own needs on top for loading a file."""
    env = {**os.environ, "PYTHONPATH": str(data.root() / "impl")}
    done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, env=env, check=True)
    return int(done.stdout)


def located(name: str) -> Path:
    found = zoo.locate([name])
    assert name in found.present, found.absent[name]
    return found.present[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_files(name: str):
    path = located(name)
    assert grown(path) <= 4 * path.stat().st_size + ROOM


@pytest.mark.parametrize("name", WRITTEN)
def test_files_written_from_a_published_one(name: str, tmp_path: Path):
    path = tmp_path / name
    target = {"tokenizer.mtok": "mtok"}.get(name, name)
    description = formats.read(located("qwen3"))
    formats.write(formats.project(description, target), path, target)
    assert grown(path) <= 4 * path.stat().st_size + ROOM


@pytest.mark.parametrize("name", ["qwen3", "gemma3", "llama3_1"])
def test_gguf_files_of_published_tokenizers(name: str):
    path = vocabulary_gguf(str(located(name)))
    assert grown(path) <= 4 * path.stat().st_size + ROOM


def test_a_million_tiny_tokens(tmp_path: Path):
    letters = [chr(code) for code in range(33, 127)]
    sizes = (islice(product(letters, repeat=size), 10**6) for size in (1, 2, 3, 4))
    words = ["".join(word) for found in sizes for word in found]
    path = tmp_path / "tiny.gguf"
    path.write_bytes(_scored(words[: 10**6]))
    assert grown(path) <= 4 * path.stat().st_size + ROOM


def _scored(words: list[str]) -> bytes:
    """The GGUF file of a vocabulary with scores."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    def column(name: str, kind: int, values: bytes) -> bytes:
        return text(f"tokenizer.ggml.{name}") + struct.pack("<IIQ", 9, kind, len(words)) + values

    model = text("tokenizer.ggml.model") + struct.pack("<I", 8) + text("llama")
    tokens = column("tokens", 8, b"".join(map(text, words)))
    scores = column("scores", 6, struct.pack("<f", -1) * len(words))
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, 3) + model + tokens + scores
