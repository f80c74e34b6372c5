"""Random decoders on random tokens: text, JSON form and streams against the oracle."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any, Callable

import pytest
from tokenizers import Tokenizer

from tokassay.core import decoders
from tokassay.core.decoders.byte_fallback import byte_of
from tokassay.core.decoders.stages import Grain
from tokassay.core.description import Decoder
from tokassay.core.errors import DecodeError

SEED = 20261130
HOST = {
    "version": "1.0",
    "added_tokens": [],
    "model": {"type": "WordLevel", "vocab": {"x": 0}, "unk_token": "x"},
}
FRAGMENTS = [
    "a",
    "b",
    "##",
    "##b",
    "</w>",
    "\u2581",
    " ",
    "  ",
    "\u0120",
    "\u010a",
    "\u00c3",
    "\u00a9",
    "<0x41>",
    "<0xE4>",
    "<0xBD>",
    "<0xA0>",
    "<0xFF>",
    "<0x+A>",
    "<0x\u00e9>",
    "<0xzz>",
    "<0x4>",
    "|",
    "<pad>",
    "\u00e9",
    "\u4f60",
    "\U0001d54f",
    ".",
    " .",
    " n't",
    "n't",
    " do not",
    " '",
    "' ",
    "?",
    "!",
    ",",
    "'s",
    "xx",
    "x",
    "",
    "_",
    "\ud7ff",
    "\u00ad",
    "\u00df",
    " 've",
    "do",
]
BYTES = ["<0xE4>", "<0xBD>", "<0xA0>", "<0x41>", "a", " ", "\u2581"]


def random_decoder(rng: random.Random, depth: int = 0):
    """JSON of any decoder; sequences nest at most twice."""
    flag = lambda: rng.random() < 0.5  # noqa: E731
    return rng.choice(
        [
            lambda: {"type": "BPEDecoder", "suffix": rng.choice(["</w>", "", "a", "\u2581"])},
            lambda: {
                "type": "ByteLevel",
                "add_prefix_space": flag(),
                "trim_offsets": flag(),
                "use_regex": flag(),
            },
            lambda: {"type": "WordPiece", "prefix": rng.choice(["##", "", "a"]), "cleanup": flag()},
            lambda: {
                "type": "Metaspace",
                "replacement": rng.choice("\u2581_a"),
                "prepend_scheme": rng.choice(["always", "never", "first"]),
                "split": flag(),
            },
            lambda: {
                "type": "CTC",
                "pad_token": rng.choice(["<pad>", "", "a"]),
                "word_delimiter_token": rng.choice(["|", "", "x"]),
                "cleanup": flag(),
            },
            lambda: {
                "type": "Replace",
                "pattern": random_pattern(rng),
                "content": rng.choice([" ", "", "ab", "$0"]),
            },
            lambda: {"type": "Fuse"},
            lambda: {
                "type": "Strip",
                "content": rng.choice(" \u2581ax"),
                "start": rng.choice([0, 1, 1, 2]),
                "stop": rng.choice([0, 0, 0, 1, 2]),
            },
            lambda: {"type": "ByteFallback"},
            *[
                lambda: {
                    "type": "Sequence",
                    "decoders": [random_decoder(rng, depth + 1) for _ in range(rng.randrange(5))],
                }
            ]
            * (2 if depth < 2 else 0),
        ]
    )()


def llama_decoder(rng: random.Random):
    """The chain of SentencePiece-like BPE files."""
    spaces = {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}
    strip = {
        "type": "Strip",
        "content": " ",
        "start": rng.choice([0, 1, 2]),
        "stop": rng.choice([0, 0, 1, 2]),
    }
    return {"type": "Sequence", "decoders": [spaces, {"type": "ByteFallback"}, {"type": "Fuse"}, strip]}


def random_pattern(rng: random.Random):
    if rng.random() < 0.7:
        return {"String": rng.choice(["\u2581", " ", "a", "ab", "xx", ""])}
    return {"Regex": rng.choice(["[ab]+", r"\s", "x*", "(?i)A", r"^\W", "$"])}


def random_tokens(rng: random.Random):
    if rng.random() < 0.3:
        return [rng.choice(BYTES) for _ in range(rng.randrange(8))]
    sizes = [rng.choice([1, 1, 1, 1, 2, 2, 3, 4]) for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 8]))]
    return ["".join(rng.choice(FRAGMENTS) for _ in range(size)) for size in sizes]


def answer_of_oracle(tokenizer: Tokenizer, tokens: list[str]):
    try:
        return tokenizer.decoder.decode(tokens)
    except BaseException as error:  # noqa: BLE001 - its panics are not Exceptions
        assert type(error).__name__ == "PanicException"  # noqa: PT017
        return DecodeError


def answer_of(work: Callable[[], Any]):
    try:
        return "".join(work())
    except DecodeError:
        return DecodeError


def streamed(decoder: Decoder, tokens: list[str]):
    stage = decoder.stream(grain=Grain.CHARACTER)
    return [text for token in tokens for text in stage.push(token)] + stage.finish()


def differs_by_clause(value: Any, tokens: list[str]):
    """Whether a clause of docs/spec/streaming.md lets the stream of this decoder differ on these tokens."""
    fused = changed = False
    for part in flat(value):
        pattern = part.get("pattern", {})
        if fused and (
            part["type"] == "ByteLevel" or (part["type"] == "Replace" and not pattern.get("String"))
        ):
            return True
        if part["type"] == "ByteFallback" and (changed or breaks(tokens)):
            return True
        fused = fused or part["type"] in ("Fuse", "ByteLevel")
        changed = changed or pattern != {"String": "\u2581"}
    return False


def breaks(tokens: list[str]):
    """Whether a run of byte tokens has a complete character and is invalid all the same."""
    for is_run, run in itertools.groupby(map(byte_of, tokens), lambda byte: byte is not None):
        data = bytes(run) if is_run else b""
        text = data.decode("utf-8", "replace")
        if "\ufffd" in text and text[0] != "\ufffd":
            return True
    return False


def flat(value: Any):
    for part in value.get("decoders", [value]):
        yield from flat(part) if "decoders" in part else [part]


def check(count: int, seed: int):
    rng = random.Random(seed)
    streams = refusals = 0
    for _ in range(count):
        value, tokens = rng.choice([random_decoder] * 4 + [llama_decoder])(rng), random_tokens(rng)
        oracle = Tokenizer.from_str(json.dumps({**HOST, "decoder": value}))
        made = decoders.read(value, "decoder")
        assert made.to_fields() == json.loads(oracle.to_str())["decoder"]
        wanted = answer_of_oracle(oracle, tokens)
        assert answer_of(lambda: made.decode_chain(tokens)) == wanted, (value, tokens)  # noqa: B023
        refusals += wanted is DecodeError
        if wanted is not DecodeError and not differs_by_clause(value, tokens):
            streams += 1
            assert answer_of(lambda: streamed(made, tokens)) == wanted, (value, tokens)  # noqa: B023
    assert streams > count // 2


def test_random_decoders_agree():
    check(1_500, SEED)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(SEED + 1, SEED + 11))
def test_many_random_decoders_agree(seed: int):
    check(10_000, seed)
