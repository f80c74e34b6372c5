"""The reference equals the oracle on generated texts: every class, every output, every tokenizer at hand."""

from __future__ import annotations

import collections
from pathlib import Path

import pytest

from tokassay import data
from tokassay.fuzzing.compare import Pair, differences
from tokassay.fuzzing.material import Material
from tokassay.fuzzing.texts import generate, kinds
from tokassay.zoo import cached

SEED = 20261130
OWN = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))
REAL = sorted(cached().values())


def named(path: Path) -> str:
    return path.parent.name


def compare(path: Path, count: int, seed: int = SEED) -> None:
    pair = Pair.load(path)
    texts = list(generate(Material.of(pair.reference), seed, count))
    counts = collections.Counter(text.kind for text in texts)
    print(
        f"{named(path)}: {len(texts)} texts of {len(counts)} classes, seed {seed}: {dict(sorted(counts.items()))}"
    )
    assert len(counts) >= 40
    found = differences(pair, iter(texts))
    assert not found, "\n".join(map(str, found))


def test_there_are_forty_classes() -> None:
    assert len(kinds()) >= 40


@pytest.mark.parametrize("path", OWN, ids=named)
def test_own_tokenizers_agree_on_a_sample(path: Path) -> None:
    compare(path, 5 * len(kinds()))


@pytest.mark.nightly
@pytest.mark.parametrize("path", OWN + REAL, ids=named)
def test_every_tokenizer_agrees_on_twenty_thousand_texts(path: Path) -> None:
    compare(path, 20_000)


def scalars(step: int) -> list[str]:
    return [chr(code) for code in range(0, 0x110000, step) if not 0xD800 <= code <= 0xDFFF]


@pytest.mark.parametrize("path", OWN, ids=named)
def test_a_sample_of_scalars_alone_and_in_context(path: Path) -> None:
    """Every output, on one scalar value in about ten thousand."""
    pair = Pair.load(path)
    for char in scalars(9_973):
        for text in (char, f"a{char}b"):
            difference = pair.difference(text, special=False)
            assert difference is None, str(difference)


@pytest.mark.nightly
@pytest.mark.parametrize("path", OWN + REAL, ids=named)
def test_every_scalar_alone_and_in_context(path: Path) -> None:
    """Ids, on all 1,112,064 scalar values; in blocks, so that the oracle is called once for many."""
    pair = Pair.load(path)
    pair.oracle.no_truncation()
    pair.oracle.no_padding()
    characters = scalars(1)
    assert len(characters) == 1_112_064
    for start in range(0, len(characters), 4096):
        block = characters[start : start + 4096]
        texts = block + [f"a{char}b" for char in block]
        theirs = pair.oracle.encode_batch_fast(texts, add_special_tokens=False)
        for text, encoding in zip(texts, theirs):
            assert pair.reference.encode(text, add_special_tokens=False).ids == encoding.ids, ascii(text)
