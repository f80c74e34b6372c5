"""What a target holds: reading back what was written equals it, for every target and tokenizer."""

from __future__ import annotations

import json
import random
from functools import lru_cache
from typing import Iterator, Optional, Tuple

import pytest

from tokassay import FormatError, data, formats
from tokassay.checks.vector import read_vectors
from tokassay.core.description import Description
from tokassay.formats.codec import codecs
from tokassay.fuzzing.grammar import files, tokenizers

TARGETS = ("tokenizer.json", "mtok", "tokenizer.txt", "vocab.bin", "tiktoken")
DEVICE_FORMATS = ("mtok", "tokenizer.txt", "vocab.bin", "tiktoken", "sentencepiece", "tekken.json")
GOLDEN = data.root() / "golden"
OWN = sorted((GOLDEN / "tokenizers").glob("*/tokenizer.json"))
AT_THE_DOOR = sorted((GOLDEN / "formats").iterdir())
Named = Tuple[str, Description]


def parsed(content: bytes, name: Optional[str]) -> Optional[Description]:
    try:
        return formats.parse(content, format=name)
    except FormatError:
        return None


def random_tokenizers(seeds: range) -> Iterator[Named]:
    for seed in seeds:
        found = parsed(json.dumps(tokenizers.tokenizer(random.Random(seed))).encode(), "tokenizer.json")
        if found is not None:
            yield f"random {seed}", found


def random_files(seeds: range) -> Iterator[Named]:
    """Files of the device formats and others, damaged so that they still load."""
    for name in DEVICE_FORMATS:
        for seed in seeds:
            found = parsed(files.mutated(random.Random(seed), name), name)
            if found is not None:
                yield f"{name} {seed}", found


def vectors() -> Iterator[Named]:
    for vector in read_vectors(GOLDEN / "vectors" / "load"):
        name = vector.file_name if vector.file_name in codecs() else None
        found = parsed(vector.inline, name) if vector.inline else None
        if found is not None:
            yield vector.id, found


SOURCES = {
    "own": lambda: ((path.parent.name, formats.read(path)) for path in OWN),
    "others": lambda: ((path.name, formats.read(path)) for path in AT_THE_DOOR),
    "vectors": vectors,
    "random": lambda: random_tokenizers(range(120)),
    "damaged": lambda: random_files(range(60)),
}


@lru_cache(maxsize=1)
def described(source: str) -> Tuple[Named, ...]:
    return tuple(SOURCES[source]())


def fault(description: Description, target: str) -> str:
    """What is not as it should be; empty where the target holds nothing near."""
    try:
        held = formats.project(description, target)
    except FormatError:
        return ""
    content = formats.serialize(held, target)
    again = formats.parse(content, format=target)
    if again != held:
        return "read otherwise"
    if formats.serialize(again, target) != content:
        return "written otherwise"
    if formats.project(held, target) != held:
        return "projected twice"
    return str(formats.losses(held, target)[:1] or "")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_reading_back_what_was_written_equals_it(source: str, target: str) -> None:
    wrong = {name: fault(description, target) for name, description in described(source)}
    assert {name: why for name, why in wrong.items() if why} == {}


@pytest.mark.nightly
@pytest.mark.parametrize("target", TARGETS)
def test_thousands_of_random_descriptions(target: str) -> None:
    found = (*random_tokenizers(range(120, 3000)), *random_files(range(60, 1000)))
    wrong = {name: fault(description, target) for name, description in found}
    assert {name: why for name, why in wrong.items() if why} == {}


@pytest.mark.parametrize(
    ("target", "least"),
    [("tokenizer.json", 41), ("mtok", 30), ("tokenizer.txt", 25), ("vocab.bin", 15), ("tiktoken", 0)],
)
def test_the_targets_hold_something_near_most_of_our_tokenizers(target: str, least: int) -> None:
    held = 0
    for _, description in described("own"):
        try:
            formats.project(description, target)
        except FormatError:
            continue
        held += 1
    assert held >= least


def test_every_writable_format_is_a_target() -> None:
    assert set(TARGETS) == {
        name for name in codecs() if any(map(holds(name), map(formats.read, AT_THE_DOOR)))
    }


def holds(name: str):
    def asked(description: Description) -> bool:
        try:
            return bool(formats.project(description, name))
        except FormatError:
            return False

    return asked
