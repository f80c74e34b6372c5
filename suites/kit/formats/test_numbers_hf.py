"""Scores are read bit by bit as the oracle reads them."""

from __future__ import annotations

import json
import random
import struct

import tokenizers

from tokassay.formats.tokenizer_json.numbers import read_number, write_number


def oracle_reads(decimals: list[str]) -> list[float]:
    pieces = ",".join(f'["t{i}",{text}]' for i, text in enumerate(decimals))
    text = '{"model":{"type":"Unigram","unk_id":0,"vocab":[["u",0.0],' + pieces + "]}}"
    # What it writes is the shortest decimal of the nearest double, which Python reads exactly.
    vocab = json.loads(tokenizers.Tokenizer.from_str(text).to_str())["model"]["vocab"]
    return [score for _, score in vocab[1:]]


def decimals(count: int) -> list[str]:
    rng = random.Random(7)
    made = [repr(-rng.random() * rng.choice((1, 20, 1e-5, 1e10))) for _ in range(count)]
    made += [repr(struct.unpack("<f", struct.pack("<f", -20 * rng.random()))[0]) for _ in range(count)]
    for _ in range(count):
        whole, fraction = rng.randrange(10 ** rng.randrange(1, 25)), rng.randrange(10**25)
        made.append(f"{whole}.{fraction:0{rng.randrange(1, 30)}}e{rng.randrange(-300, 270)}")
    return made


def bits(values: list[float]) -> list[str]:
    return [value.hex() for value in values]


def test_decimals_are_read_as_the_oracle_reads_them() -> None:
    texts = decimals(3000)
    assert bits([read_number(text) for text in texts]) == bits(oracle_reads(texts))


def test_about_one_double_in_eight_is_not_the_nearest() -> None:
    texts = [text for text in decimals(3000) if "e" not in text]
    assert any(read_number(text) != float(text) for text in texts)


def test_written_decimals_are_read_back_as_the_same_double() -> None:
    values = [read_number(text) for text in decimals(1500)]
    assert bits(oracle_reads([write_number(value) for value in values])) == bits(values)
