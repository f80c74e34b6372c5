"""Random small SentencePiece models against the library: ties, overlaps, types and white space."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

import pytest
import sentencepiece

from tokassay import Tokenizer, formats

sys.path.insert(0, str(Path(__file__).parent))
from models import model, piece

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
SCORES = {False: [-1.5, -2.25, -3.1, -4.7, -0.3], True: [0.0, 0.25, -2.25, 1.3]}
LETTERS = "ab\u2581"
TEXTS = [
    *("".join(letters) for size in range(1, 7) for letters in itertools.product("ab ", repeat=size)),
    "ab\u00e9", "\u00e9\u00e9 a", "\u4f60a\u597d", "<s>ab", "a\tb", "\u2581a", "a\u2581\u2581", "\u3000",
]  # fmt: skip


def drawn(seed: int, kind: int) -> bytes:
    """A model whose pieces, scores (with ties) and types are random."""
    choice = random.Random(seed)
    strings = ["".join(s) for size in range(1, 5) for s in itertools.product(LETTERS, repeat=size)]
    tokens = choice.sample(strings, choice.randint(4, 40))
    types = [NORMAL] * 8 + [USER_DEFINED] * (seed % 3 == 1) + [UNUSED] * (seed % 3 == 2)
    pieces = [piece("<unk>", 0, UNKNOWN), piece("<s>", 0, CONTROL)]
    fallback = seed % 4 == 3
    if fallback:
        pieces += [piece(f"<0x{byte:02X}>", 0, BYTE) for byte in range(256)]
    pieces += [piece(token, choice.choice(SCORES[seed % 5 == 0]), choice.choice(types)) for token in tokens]
    switches = {name: choice.randint(0, 1) for name in ("dummy", "extra", "suffix")}
    return model(pieces, kind, byte_fallback=int(fallback), **switches)


@pytest.mark.parametrize("kind", [1, 2], ids=["unigram", "bpe"])
@pytest.mark.parametrize("seed", range(36))
def test_a_random_model_gives_the_ids_of_the_library(seed: int, kind: int):
    data = drawn(seed, kind)
    library = sentencepiece.SentencePieceProcessor(model_proto=data)
    own = Tokenizer.from_description(formats.parse(data))
    found = {text: list(own.encode(text).ids) for text in [*TEXTS, "ab ba" * 20]}
    texts = {text: own.decode(ids, skip_special_tokens=False) for text, ids in found.items()}
    assert {text: got for text, got in texts.items() if got != library.decode(found[text])} == {}
    wrong = {text: (ids, library.encode(text)) for text, ids in found.items() if ids != library.encode(text)}
    assert wrong == {}
