"""Bytes before invalid UTF-8 is replaced (clauses ``decode.bytes.*``)."""

from __future__ import annotations

from typing import Any

import pytest

from tokassay.core import decoders
from tokassay.core.decoders.raw import raw_chain

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
FALLBACK = {"type": "ByteFallback"}
FUSE = {"type": "Fuse"}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
REPLACE = {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}

FACTS = [
    ("decode.bytes.byte-level", BYTE_LEVEL, ["\u00e4\u00bd", "A\u00ff"], b"\xe4\xbdA\xff"),
    ("decode.bytes.byte-level", BYTE_LEVEL, ["\u00e4\u00bd", "\u0142"], b"\xe4\xbd\xa0"),
    ("decode.bytes.byte-fallback", FALLBACK, ["<0x41>", "<0xE4>", "x"], b"A\xe4x"),
    ("decode.bytes.sequence", [REPLACE, FALLBACK, FUSE, STRIP], ["\u2581", "<0xFF>", "\u2581a"], b"\xff a"),
    ("decode.bytes.sequence", [FALLBACK, BYTE_LEVEL], ["<0xFF>", "\u0120"], b"\xff "),
    (
        "decode.bytes.others",
        {"type": "WordPiece", "prefix": "##", "cleanup": True},
        ["\u00e9", "."],
        b"\xc3\xa9.",
    ),
]


@pytest.mark.parametrize(("clause", "decoder", "tokens", "data"), FACTS)
def test_decoder_gives_the_bytes_of_its_clause(clause: str, decoder: Any, tokens: list[str], data: bytes):
    value = {"type": "Sequence", "decoders": decoder} if isinstance(decoder, list) else decoder
    texts = raw_chain(decoders.read(value, "decoder"), tokens)
    assert "".join(texts).encode("utf-8", "surrogateescape") == data, clause
