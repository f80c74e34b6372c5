"""Loading takes no more memory than four times the file and 64 MB: files of real size (nightly)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tokassay import data, formats, zoo
from tokassay.engines._gguf import vocabulary_gguf

sys.path.insert(0, str(Path(__file__).parent))
import hostile_files
import tiny_tokens

pytestmark = pytest.mark.nightly
ROOM = 64 << 20
CHILD = """
import contextlib, re, sys
from tokassay import FormatError, Tokenizer
from tokassay.formats.codec import codecs
codecs()
held = lambda name: int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) * 1024
before = held("VmRSS")
with contextlib.suppress(FormatError):
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


@pytest.mark.parametrize("name", tiny_tokens.NAMES)
def test_a_million_tiny_tokens(name: str, tmp_path: Path):
    path = tiny_tokens.written(name, tmp_path, 10**6)
    assert grown(path) <= 4 * path.stat().st_size + ROOM


@pytest.mark.parametrize("name", hostile_files.FILES)
def test_files_of_one_cruel_shape(name: str, tmp_path: Path):
    path = hostile_files.written(name, tmp_path)
    assert grown(path) <= 4 * path.stat().st_size + ROOM
