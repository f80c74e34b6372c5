"""Random post-processors, truncation and padding on the oracle's own bare encodings, against the oracle."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from tokenizers import Tokenizer

from tokassay.core import postprocessors
from tokassay.core.byte_alphabet import CHAR_OF_BYTE
from tokassay.core.columns import Columns, merge
from tokassay.core.description import Padding, Truncation
from tokassay.core.errors import EncodeError
from tokassay.core.padding import pad, padded_length
from tokassay.core.pipeline import post_process
from tokassay.core.truncation import truncate_pair

SEED = 20261130
S = "\u0120"  # the space of the byte-level alphabet
MERGES = [f"{S} {S}", f"{S} a", f"a {S}", f"{S}{S} {S}{S}", f"{S} \u010a", f"b {S}", "a b", f"{S}{S} a"]
SPECIAL = ["[CLS]", "[SEP]", "[PAD]"]
VOCAB = {
    token: i for i, token in enumerate([*CHAR_OF_BYTE, *(pair.replace(" ", "") for pair in MERGES), *SPECIAL])
}
HOST = {
    "version": "1.0",
    "added_tokens": [],
    "pre_tokenizer": {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    },
    "model": {"type": "BPE", "vocab": VOCAB, "merges": MERGES},
}
WORDS = ["a", "b", " ", "  ", "\n", "\u00e9", "\u4f60", " a", "ab"]


def random_processor(rng: random.Random, depth: int = 0):
    flag = lambda: rng.random() < 0.5  # noqa: E731
    marks = {"sep": ["[SEP]", VOCAB["[SEP]"]], "cls": ["[CLS]", VOCAB["[CLS]"]]}
    trims = {"trim_offsets": flag(), "add_prefix_space": flag()}
    return rng.choice(
        [
            lambda: {"type": "BertProcessing", **marks},
            lambda: {"type": "RobertaProcessing", **marks, **trims},
            lambda: {"type": "ByteLevel", **trims, "use_regex": flag()},
            lambda: random_template(rng),
            *[
                lambda: {
                    "type": "Sequence",
                    "processors": [random_processor(rng, depth + 1) for _ in range(rng.randrange(4))],
                }
            ]
            * (depth < 2),
        ]
    )()


def random_template(rng: random.Random):
    """Any template that loads, with a few that the oracle cannot fill."""
    known = {"[CLS]": {"id": "[CLS]", "ids": [VOCAB["[CLS]"]], "tokens": ["[CLS]"]}}
    known["x"] = {"id": "y", "ids": [1, 2], "tokens": rng.choice([["p", "q"], ["p"]])}

    def piece(sequences: str) -> Any:
        kind, type_id = rng.random(), rng.randrange(3)
        if kind < 0.5:
            return {"Sequence": {"id": rng.choice(sequences), "type_id": type_id}}
        return {
            "SpecialToken": {
                "id": "unknown" if kind > 0.98 else rng.choice(["[CLS]", "x"]),
                "type_id": type_id,
            }
        }

    single = [piece("A" * 20 + "B") for _ in range(rng.randrange(4))]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [piece("AB") for _ in range(rng.randrange(6))],
        "special_tokens": known,
    }


def random_truncation(rng: random.Random):
    if rng.random() < 0.5:
        return None
    return {
        "max_length": rng.choice([0, 1, 2, 3, 4, 5, 8]),
        "stride": rng.choice([0, 0, 0, 1, 2]),
        "strategy": rng.choice(["LongestFirst", "OnlyFirst", "OnlySecond"]),
        "direction": rng.choice(["Left", "Right"]),
    }


def random_padding(rng: random.Random):
    if rng.random() < 0.5:
        return None
    return {
        "strategy": rng.choice(["BatchLongest", {"Fixed": rng.randrange(12)}]),
        "direction": rng.choice(["Left", "Right"]),
        "pad_to_multiple_of": rng.choice([None, 0, 3, 4]),
        "pad_id": 7,
        "pad_type_id": rng.randrange(3),
        "pad_token": "[PAD]",
    }


def columns_of(encoding: Any):
    return Columns(*(list(column) for column in all_columns(encoding)[:7]))


def all_columns(encoding: Any):
    """Every column of the oracle's encoding, and the same of its overflowing ones."""
    overflowing = [all_columns(one) for one in encoding.overflowing]
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


def deep(columns: Columns):
    overflowing = [deep(one) for one in columns.spill()]
    return (
        columns.ids,
        columns.tokens,
        columns.offsets,
        columns.word_ids,
        columns.type_ids,
        columns.special_tokens_mask,
        columns.attention_mask,
        overflowing,
    )


def oracle_answer(value: Any, first: Any, second: Any, special: bool):
    try:
        tokenizer = Tokenizer.from_str(json.dumps({**HOST, **value}))
        return all_columns(tokenizer.encode(first, second, add_special_tokens=special))
    except BaseException:  # noqa: BLE001 - its panics are not Exceptions
        return None


def our_answer(value: Any, first: Any, second: Any, special: bool):
    processor = value["post_processor"] and postprocessors.read(value["post_processor"], "post_processor")
    pair = second is not None
    if second is not None:
        second = second.with_type(1)
    try:
        if value["truncation"]:
            added = processor.added_tokens(pair) if processor and special else 0
            first, second = truncate_pair(first, second, Truncation(**value["truncation"]), added)
        merged = merge(post_process(processor, [first, second] if pair else [first], special))
    except EncodeError:
        return None
    return deep(padded(merged, value["padding"]))


def padded(columns: Columns, value: Any):
    if value is None:
        return columns
    fixed = value["strategy"]["Fixed"] if isinstance(value["strategy"], dict) else None
    padding = Padding(fixed, **{name: entry for name, entry in value.items() if name != "strategy"})
    return pad(columns, padded_length([len(columns)], padding), padding)


def check(count: int, seed: int):
    rng = random.Random(seed)
    plain = Tokenizer.from_str(json.dumps(HOST))
    overflowed = 0
    for _ in range(count):
        value = {
            "post_processor": random_processor(rng) if rng.random() < 0.9 else None,
            "truncation": random_truncation(rng),
            "padding": random_padding(rng),
        }
        first, second = ("".join(rng.choice(WORDS) for _ in range(rng.randrange(9))) for _ in range(2))
        second = second if rng.random() < 0.5 else None
        special = rng.random() < 0.8
        wanted = oracle_answer(value, first, second, special)
        bare = columns_of(plain.encode(first)), None if second is None else columns_of(plain.encode(second))
        assert our_answer(value, *bare, special) == wanted, (value, first, second, special)
        overflowed += bool(wanted and wanted[-1])
    assert overflowed > count // 20


def test_random_processing_agrees():
    check(1_500, SEED)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(SEED + 1, SEED + 11))
def test_much_random_processing_agrees(seed: int):
    check(10_000, seed)
