"""Streams on tokens: joined results equal decoding, and nothing waits that need not (``stream.*``)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tokassay.core import decoders
from tokassay.core.decoders.stages import Grain
from tokassay.core.stream import DecodeStream

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
FALLBACK = {"type": "ByteFallback"}
FUSE = {"type": "Fuse"}
SPACES = {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
METASPACE = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
WORD_PIECE = {"type": "WordPiece", "prefix": "##", "cleanup": True}
BPE = {"type": "BPEDecoder", "suffix": "</w>"}
CTC = {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True}


def sequence(*parts: Any):
    return {"type": "Sequence", "decoders": list(parts)}


LLAMA = sequence(SPACES, FALLBACK, FUSE, STRIP)


def stream_of(value: Any, tokens: list[str]):
    """A stream whose id i is token i."""
    decoder = None if value is None else decoders.read(value, "decoder")
    return DecodeStream(decoder, dict(enumerate(tokens)).get)


def results(value: Any, tokens: list[str]):
    stream = stream_of(value, tokens)
    return [*(stream.step(index) for index in range(len(tokens))), stream.flush()]


FACTS = [
    ("stream.none", None, ["a", "b"], ["a", " b", None]),
    ("stream.byte-level", BYTE_LEVEL, ["\u00e4\u00bd", "\u0142", "\u00e4"], [None, "\u4f60", None, "\ufffd"]),
    ("stream.partial", BYTE_LEVEL, ["\u00e4", "A"], [None, "\ufffdA", None]),
    ("stream.byte-fallback", LLAMA, ["<0xC3>", "<0xA9>", "x"], [None, "\u00e9", "x", None]),
    ("stream.byte-fallback", LLAMA, ["<0xC3>", "x"], [None, "\ufffdx", None]),
    ("stream.byte-fallback", LLAMA, ["<0xFF>", "<0x41>", "<0xC3>"], ["\ufffd", "\ufffd", "\ufffd", None]),
    (
        "stream.byte-fallback.whole",
        sequence(FALLBACK, WORD_PIECE),
        ["<0x41>", "<0x42>", "x"],
        [None, None, "AB x", None],
    ),
    (
        "stream.byte-fallback.whole",
        sequence(FALLBACK, METASPACE),
        ["<0x41>", "<0x42>", "x", "<0x41>", "<0x42>"],
        [None, None, "ABx", "A", "B", None],
    ),
    ("stream.flush", LLAMA, ["<0xE4>", "<0xBD>"], [None, None, "\ufffd\ufffd"]),
    ("stream.strip", LLAMA, ["\u2581", "\u2581a", "\u2581b"], [None, " a", " b", None]),
    ("stream.metaspace", METASPACE, ["\u2581a", "\u2581b"], ["a", " b", None]),
    ("stream.wordpiece", WORD_PIECE, ["a", "##b", "."], ["a", "b", ".", None]),
    ("stream.bpe", BPE, ["a</w>", "b", "c</w>"], ["a", " b", "c", None]),
    ("stream.ctc", CTC, ["a", "a", "<pad>", "a", "|"], ["a", None, None, "a", " ", None]),
    (
        "stream.wordpiece.cleanup",
        sequence(FUSE, WORD_PIECE),
        ["a", " ", ".", " ", "do"],
        ["a", None, ".", None, None, " do"],
    ),
]


@pytest.mark.parametrize(("clause", "decoder", "tokens", "expected"), FACTS)
def test_each_step_gives_what_its_clause_says(
    clause: str, decoder: Any, tokens: list[str], expected: list[str | None]
):
    assert results(decoder, tokens) == expected, clause


@pytest.mark.parametrize(
    "decoder", [None, BYTE_LEVEL, LLAMA, METASPACE, WORD_PIECE, BPE, CTC, sequence(BPE, WORD_PIECE)]
)
def test_no_ids_give_what_decoding_nothing_gives(decoder: Any):
    assert results(decoder, []) == [None]


def test_unknown_ids_give_nothing_and_change_nothing():
    stream = stream_of(BYTE_LEVEL, ["\u00c3", "\u00a9"])
    assert [stream.step(index) for index in (0, 99, 2**32 - 1, 1)] == [None, None, None, "\u00e9"]


def test_a_run_that_breaks_later_differs_from_decoding_as_written():
    tokens = ["<0x41>", "<0xFF>"]
    decoder = decoders.read(FALLBACK, "decoder")
    assert "".join(decoder.decode_chain(tokens)) == "\ufffd\ufffd"
    assert results(FALLBACK, tokens) == ["A", "\ufffd", None]


ALPHABET = [
    "a",
    " ",
    "\u2581a",
    "</w>",
    "b</w>",
    "##b",
    ".",
    "\u00e4",
    "\u00bd",
    "\u0142",
    "<pad>",
    "|",
    "n't",
]


@pytest.mark.parametrize(
    "decoder",
    [
        None,
        BYTE_LEVEL,
        METASPACE,
        WORD_PIECE,
        BPE,
        CTC,
        LLAMA,
        sequence(),
        sequence(BPE, WORD_PIECE),
        sequence(FUSE, WORD_PIECE),
        sequence(CTC, FUSE, STRIP),
        sequence(sequence(SPACES, FUSE), BPE),
        sequence(BYTE_LEVEL, STRIP),
        sequence(BPE, FALLBACK, METASPACE),
    ],
)
def test_joined_results_equal_decoding_on_every_short_list_of_tokens(decoder: Any):
    made = None if decoder is None else decoders.read(decoder, "decoder")
    for tokens in itertools.chain.from_iterable(itertools.product(ALPHABET, repeat=n) for n in range(4)):
        whole = " ".join(tokens) if made is None else "".join(made.decode_chain(list(tokens)))
        assert "".join(filter(None, results(decoder, tokens))) == whole, tokens


@pytest.mark.parametrize(
    "decoder", [BYTE_LEVEL, LLAMA, METASPACE, WORD_PIECE, BPE, CTC, sequence(FUSE, WORD_PIECE)]
)
def test_what_a_stream_keeps_does_not_grow(decoder: Any):
    tokens = ["\u2581a", " ", "<0xE4>", "\u00e4", "b</w>", "n"]
    stage = decoders.read(decoder, "decoder").stream(grain=Grain.CHARACTER)
    sizes = []
    for _ in range(3):
        for token in tokens * 50:
            stage.push(token)
        sizes.append(len(repr(state_of(stage))))
    assert max(sizes) - min(sizes) <= 8


def state_of(value: Any):
    """Everything a stage refers to, as plain values."""
    if isinstance(value, (str, bytes, int, type(None), bytearray)):
        return value
    if isinstance(value, (list, tuple)):
        return [state_of(one) for one in value]
    inner = getattr(value, "__dict__", None)
    if inner is not None:
        return {name: state_of(one) for name, one in inner.items() if not callable(one)}
    return value.getstate() if hasattr(value, "getstate") else type(value).__name__


@pytest.mark.parametrize(
    ("clause", "decoder", "tokens", "decoded", "streamed"),
    [
        (
            "stream.replace.fused",
            sequence(FUSE, {"type": "Replace", "pattern": {"Regex": "ab"}, "content": "x"}),
            ["a", "b", "ab"],
            "xx",
            ["a", "b", "x", None],
        ),
        (
            "stream.byte-level.fused",
            sequence(FUSE, BYTE_LEVEL),
            ["\u0120", "\u4f60"],
            "\u0120\u4f60",
            [" ", "\u4f60", None],
        ),
    ],
)
def test_a_stream_differs_from_decoding_as_its_clause_says(
    clause: str, decoder: Any, tokens: list[str], decoded: str, streamed: list[str | None]
):
    assert "".join(decoders.read(decoder, "decoder").decode_chain(tokens)) == decoded, clause
    assert results(decoder, tokens) == streamed, clause
