"""The reference equals the oracle on generated texts: every class, every output, every tokenizer at hand."""

from __future__ import annotations

import collections
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokassay import Tokenizer, data, formats, zoo
from tokassay.fuzzing.compare import Pair, differences
from tokassay.fuzzing.material import Material
from tokassay.fuzzing.texts import generate, kinds

SEED = 20261130
OWN = {path.parent.name: path for path in (data.root() / "golden" / "tokenizers").glob("*/tokenizer.json")}
REAL = sorted(name for name, entry in zoo.locked().items() if entry.kind == "tokenizer.json")


def located(name: str) -> Path:
    """The file of an own or a real tokenizer; a real one that was not fetched fails with what to do."""
    if name in OWN:
        return OWN[name]
    found = zoo.locate([name])
    if name not in found.present:
        pytest.fail(f"{name}: {found.absent[name]}")
    return found.present[name]


def compare(name: str, count: int, seed: int = SEED) -> None:
    pair = Pair.load(located(name))
    texts = list(generate(Material.of(pair.reference), seed, count))
    counts = collections.Counter(text.kind for text in texts)
    shares = ", ".join(f"{kind} {share}" for kind, share in sorted(counts.items()))
    print(f"{name}: {len(texts)} texts of {len(counts)} classes, seed {seed}: {shares}")  # noqa: T201
    assert len(counts) >= 40
    found = differences(pair, iter(texts))
    assert not found, "\n".join(map(str, found))


def test_there_are_forty_classes() -> None:
    assert len(kinds()) >= 40


@pytest.mark.parametrize("name", sorted(OWN))
def test_own_tokenizers_agree_on_a_sample(name: str) -> None:
    compare(name, 5 * len(kinds()))


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*sorted(OWN), *REAL])
def test_every_tokenizer_agrees_on_twenty_thousand_texts(name: str) -> None:
    compare(name, 20_000)


def scalars(step: int) -> list[str]:
    return [chr(code) for code in range(0, 0x110000, step) if not 0xD800 <= code <= 0xDFFF]


@pytest.mark.parametrize("name", sorted(OWN))
def test_a_sample_of_scalars_alone_and_in_context(name: str) -> None:
    """Every output, on one scalar value in about ten thousand."""
    pair = Pair.load(located(name))
    for char in scalars(9_973):
        for text in (char, f"a{char}b"):
            difference = pair.difference(text, special=False)
            assert difference is None, str(difference)


def ids_of(tokenizer: Any, text: str) -> list[int] | None:
    """None where the tokenizer refuses the text: one without an unknown token, say."""
    try:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)
    except Exception:  # noqa: BLE001 - the oracle raises no class of its own
        return None


def ids_of_batch(oracle: Any, texts: list[str]) -> list[list[int] | None]:
    try:
        return [one.ids for one in oracle.encode_batch_fast(texts, add_special_tokens=False)]
    except Exception:  # noqa: BLE001 - one refused text refuses them all
        return [ids_of(oracle, text) for text in texts]


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*sorted(OWN), *REAL])
def test_every_scalar_alone_and_in_context(name: str) -> None:
    """Ids, on all 1,112,064 scalar values; in blocks, so that the oracle is called once for many.

    Without stored padding and truncation, because a batch is padded to its longest text.
    """
    oracle = Pair.load(located(name)).oracle
    oracle.no_truncation()
    oracle.no_padding()
    bare = replace(formats.read(located(name)), truncation=None, padding=None)
    reference = Tokenizer.from_description(bare)
    characters = scalars(1)
    assert len(characters) == 1_112_064
    for start in range(0, len(characters), 4096):
        block = characters[start : start + 4096]
        texts = block + [f"a{char}b" for char in block]
        for text, ids in zip(texts, ids_of_batch(oracle, texts), strict=True):
            assert ids_of(reference, text) == ids, ascii(text)
