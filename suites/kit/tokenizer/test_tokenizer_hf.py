"""Whole tokenizers against the oracle: pairs, overflow, batches, decoding, streams, and mixed components."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Callable

import pytest
import tokenizers

from tokassay import FormatError, Tokenizer, data, formats
from tokassay.core.errors import TokassayError
from tokassay.zoo import locate

SEED = 20261130
OWN = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))
REAL = sorted(locate().present.values())
CHUNKS = [
    " ",
    "  ",
    "\n",
    " the",
    " do not",
    "'s",
    "don't",
    "1234",
    "\u2581",
    "\u0120",
    "\u00e9",
    "e\u0301",
    "\u4f60\u597d",
]
CHUNKS += [
    "\U0001f468\u200d\U0001f469",
    "\u00a0",
    "\u3000",
    "\ufffd",
    "\ufeff",
    "\u0130",
    "\ufb01",
    "\u00df",
    "\U000e0001",
]


def named(path: Path) -> str:
    return path.parent.name


class Texts:
    """Texts of a tokenizer's own tokens, of pieces that matter elsewhere, and of any scalar value."""

    def __init__(self, tokenizer: tokenizers.Tokenizer, rng: random.Random) -> None:
        self.rng, self.tokens = rng, sorted(tokenizer.get_vocab())
        self.added = sorted(token.content for token in tokenizer.get_added_tokens_decoder().values()) or ["x"]
        self.top = max(tokenizer.get_vocab().values(), default=0) + 3

    def any(self) -> str:
        return "".join(self._chunk() for _ in range(self.rng.choice([0, 1, 2, 3, 5, 8, 13])))

    def _chunk(self) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            return rng.choice(self.tokens)
        if kind < 0.55:
            return rng.choice(self.added)[: rng.choice([None, None, -1])]
        if kind < 0.8:
            return rng.choice(CHUNKS)
        return "".join(
            chr(rng.choice([rng.randrange(0x20, 0x500), rng.randrange(0xE000, 0x110000)])) for _ in "ab"
        )

    def ids(self) -> list[int]:
        return [self.rng.randrange(self.top) for _ in range(self.rng.randrange(9))]


def deep(encoding: Any) -> tuple[Any, ...]:
    """Every column, and those of the overflowing encodings."""
    overflowing = [deep(one) for one in encoding.overflowing]
    return (
        encoding.ids,
        encoding.tokens,
        encoding.offsets,
        encoding.word_ids,
        encoding.type_ids,
        encoding.special_tokens_mask,
        encoding.attention_mask,
        overflowing,
    )


def answer(work: Callable[[], Any]) -> Any:
    """The answer, or "refused": the oracle does so by exceptions and panics, the reference by its errors."""
    try:
        return work()
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        if (
            isinstance(error, TokassayError)
            or type(error) is Exception
            or type(error).__name__ == "PanicException"
        ):
            return "refused"
        raise


def streamed(tokenizer: Tokenizer, ids: list[int], skip: bool) -> str:
    stream = tokenizer.decode_stream(skip)
    return "".join(filter(None, [*(stream.step(index) for index in ids), stream.flush()]))


def may_differ(decoder: Any, text: str) -> bool:
    """Whether a clause lets the stream differ: bytes that are no text, patterns after a fusing decoder."""
    shape = json.dumps(decoder)
    return "Regex" in shape or ("ByteFallback" in shape and "\ufffd" in text)


def compare(oracle: tokenizers.Tokenizer, ours: Tokenizer, texts: Texts, count: int) -> None:
    decoder = json.loads(oracle.to_str())["decoder"]
    for _ in range(count):
        text, pair = texts.any(), texts.any() if texts.rng.random() < 0.3 else None
        special, ids = texts.rng.random() < 0.7, texts.ids()
        wanted = answer(lambda: deep(oracle.encode(text, pair, add_special_tokens=special)))  # noqa: B023
        assert answer(lambda: deep(ours.encode(text, pair, special))) == wanted, (text, pair, special)  # noqa: B023
        if wanted != "refused":
            assert ours.encode(text, pair, special).ids == wanted[0], (text, pair, special)
        wanted = answer(lambda: oracle.decode(ids, skip_special_tokens=special))  # noqa: B023
        assert answer(lambda: ours.decode(ids, special)) == wanted, (ids, special)  # noqa: B023
        if wanted != "refused" and not may_differ(decoder, wanted):
            assert streamed(ours, ids, special) == wanted, (ids, special)
    batch = [texts.any() for _ in range(5)]
    wanted = answer(lambda: [deep(one) for one in oracle.encode_batch(batch)])
    assert answer(lambda: [deep(one) for one in ours.encode_batch(batch)]) == wanted, batch
    assert ours.vocab_size == oracle.get_vocab_size()
    for index in [texts.rng.randrange(texts.top) for _ in range(50)]:
        assert ours.id_to_token(index) == oracle.id_to_token(index), index
    for token in texts.rng.sample(texts.tokens, min(50, len(texts.tokens))):
        assert ours.token_to_id(token) == oracle.token_to_id(token), token


@pytest.mark.parametrize("path", OWN, ids=named)
def test_own_tokenizers_agree_in_everything(path: Path) -> None:
    oracle = tokenizers.Tokenizer.from_file(str(path))
    compare(oracle, Tokenizer.from_file(path), Texts(oracle, random.Random(SEED)), 60)


@pytest.mark.nightly
@pytest.mark.parametrize("path", OWN + REAL, ids=named)
def test_every_tokenizer_agrees_in_everything(path: Path) -> None:
    oracle = tokenizers.Tokenizer.from_file(str(path))
    compare(oracle, Tokenizer.from_file(path), Texts(oracle, random.Random(SEED + 1)), 3_000)


def mixed(rng: random.Random) -> dict[str, Any]:
    """One own tokenizer with some parts exchanged for those of others, or left out, or invented."""
    chosen = [json.loads(path.read_text("utf-8")) for path in rng.sample(OWN, 3)]
    value = dict(chosen[0])
    for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        if rng.random() < 0.6:
            value[part] = rng.choice(chosen[1:])[part] if rng.random() < 0.8 else None
    if rng.random() < 0.4:
        value["truncation"] = {
            "max_length": rng.randrange(12),
            "stride": rng.choice([0, 0, 1]),
            "strategy": rng.choice(["LongestFirst", "LongestFirst", "OnlyFirst", "OnlySecond"]),
            "direction": rng.choice(["Left", "Right"]),
        }
    if rng.random() < 0.3:
        value["padding"] = {
            "strategy": rng.choice(["BatchLongest", {"Fixed": rng.randrange(20)}]),
            "direction": rng.choice(["Left", "Right"]),
            "pad_to_multiple_of": rng.choice([None, 8]),
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        }
    return value


def comparable(value: bytes) -> Tokenizer | None:
    """The tokenizer, unless the oracle's answers depend on chance, or it would never end (``added.*``)."""
    try:
        ours = Tokenizer.from_description(formats.parse(value))
    except FormatError as error:
        if "never ends" not in error.reason:
            raise
        return None
    varies = any("the oracle's choice varies" in warning.reason for warning in ours.description.warnings)
    return None if varies else ours


def check_mixed(count: int, seed: int) -> None:
    rng = random.Random(seed)
    compared = 0
    for _ in range(count):
        value = json.dumps(mixed(rng))
        ours = comparable(value.encode())
        if ours is not None:
            oracle = tokenizers.Tokenizer.from_str(value)
            compare(oracle, ours, Texts(oracle, rng), 12)
            compared += 1
    assert compared > count // 2


def test_mixed_tokenizers_agree_in_everything() -> None:
    check_mixed(60, SEED)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(SEED + 1, SEED + 11))
def test_many_mixed_tokenizers_agree_in_everything(seed: int) -> None:
    check_mixed(1_500, seed)


PIECES = ["", "a", "\u00e9", "e\u0301", "\u4e2d", "\U0001f600", "\u0120", "<a>", " ", "\n", "x"]
FALLBACK = ["a", "b", "##a", "b</w>", "<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]


@pytest.mark.parametrize("affixes", [("##", None), (None, "</w>"), ("##", "</w>"), ("", "")])
def test_bytes_behind_a_piece_have_the_oracles_offsets(affixes: tuple[str | None, str | None]) -> None:
    model = {
        "type": "BPE",
        "vocab": {token: index for index, token in enumerate(FALLBACK)},
        "merges": [],
        "byte_fallback": True,
        "continuing_subword_prefix": affixes[0],
        "end_of_word_suffix": affixes[1],
    }
    splitter = {"type": "Digits", "individual_digits": True}
    value = json.dumps({"version": "1.0", "model": model, "pre_tokenizer": splitter})
    oracle, ours = (
        tokenizers.Tokenizer.from_str(value),
        Tokenizer.from_description(formats.parse(value.encode())),
    )
    rng = random.Random(SEED)
    for _ in range(200):
        text = "".join(rng.choice([*PIECES, "1"]) for _ in range(rng.randrange(7)))
        assert deep(ours.encode(text)) == deep(oracle.encode(text)), text


def test_a_metaspace_deep_inside_a_sequence_knows_the_start_of_the_text() -> None:
    first = {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": True}
    splitter: dict[str, Any] = {"type": "Digits", "individual_digits": False}
    splitter = {"type": "Sequence", "pretokenizers": [splitter, first]}
    model = {
        "type": "WordLevel",
        "vocab": {"_a": 0, "a": 1, "1": 2, "_1": 3, "[UNK]": 4},
        "unk_token": "[UNK]",
    }
    for _ in range(3):
        splitter = {"type": "Sequence", "pretokenizers": [splitter]}
        value = json.dumps({"version": "1.0", "model": model, "pre_tokenizer": splitter})
        oracle, ours = tokenizers.Tokenizer.from_str(value), comparable(value.encode())
        for text in ("a", "1", "a1", "1a", "a a", " a", "a1a 1"):
            assert deep(ours.encode(text)) == deep(oracle.encode(text)), text
