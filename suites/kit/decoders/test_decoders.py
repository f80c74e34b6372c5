"""What each decoder makes of tokens: one fact per case, with the clause that states it."""

from __future__ import annotations

from typing import Any

import pytest

from tokassay.core import decoders
from tokassay.core.errors import DecodeError, FormatError

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
FALLBACK = {"type": "ByteFallback"}
FUSE = {"type": "Fuse"}


def strip(start: int, stop: int):
    return {"type": "Strip", "content": " ", "start": start, "stop": stop}


def replace(pattern: Any, content: str):
    return {"type": "Replace", "pattern": pattern, "content": content}


def sequence(*parts: Any):
    return {"type": "Sequence", "decoders": list(parts)}


def metaspace(scheme: str):
    return {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": scheme, "split": True}


def word_piece(cleanup: bool):
    return {"type": "WordPiece", "prefix": "##", "cleanup": cleanup}


def ctc(cleanup: bool):
    return {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": cleanup}


LLAMA = sequence(replace({"String": "\u2581"}, " "), FALLBACK, FUSE, strip(1, 0))

FACTS = [
    ("decode.bpe", {"type": "BPEDecoder", "suffix": "</w>"}, ["a</w>", "b</w>c", "d</w>"], "a b cd"),
    ("decode.bpe", {"type": "BPEDecoder", "suffix": ""}, ["ab", "cd"], " a b cd"),
    ("decode.bpe", {"type": "BPEDecoder", "suffix": "</w>"}, [], ""),
    ("decode.byte-level", BYTE_LEVEL, ["\u0120Hi", "\u00c3", "\u00a9"], " Hi\u00e9"),
    ("decode.byte-level", BYTE_LEVEL, ["\u00e4\u00bd", "A"], "\ufffdA"),
    ("decode.byte-level.added", BYTE_LEVEL, ["na\u00efve", "na\u00efve x"], "na\ufffdvena\u00efve x"),
    ("decode.wordpiece", word_piece(True), ["##a", "##b", "c", "."], "##ab c."),
    ("decode.wordpiece", word_piece(False), ["a", "."], "a ."),
    ("decode.wordpiece.cleanup", word_piece(True), ["he", "do not"], "he don't"),
    ("decode.wordpiece.cleanup", word_piece(True), ["he", "do", "not"], "he do not"),
    ("decode.metaspace", metaspace("always"), ["\u2581up\u2581to", "\u2581date"], "upto date"),
    ("decode.metaspace", metaspace("first"), ["\u2581a", "\u2581b"], "a b"),
    ("decode.metaspace", metaspace("never"), ["\u2581a", "\u2581b"], " a b"),
    ("decode.ctc", ctc(True), ["h", "h", "<pad>", "h", "|", "|", "i", "x<pad>"], "hh ix"),
    ("decode.ctc", ctc(False), ["h", "|", "i"], "h|i"),
    ("decode.replace", replace({"String": "ab"}, "$0"), ["abab", ""], "$0$0"),
    ("decode.replace", replace({"String": ""}, "-"), ["ab", ""], "-a-b-"),
    ("decode.replace", replace({"Regex": "[0-9]+"}, "#"), ["a12", "3"], "a##"),
    ("decode.fuse", sequence(FUSE, word_piece(False)), ["a", "b"], "ab"),
    ("decode.strip", strip(1, 1), ["  a  ", " b"], " a b"),
    ("decode.strip", LLAMA, ["\u2581", "\u2581a"], " a"),
    ("decode.strip.short", strip(2, 0), [" ", ""], ""),
    ("decode.byte-fallback", FALLBACK, ["<0xE4>", "<0xBD>", "<0xA0>", "!"], "\u4f60!"),
    ("decode.byte-fallback", FALLBACK, ["<0x41>", "<0xE4>"], "\ufffd\ufffd"),
    ("decode.byte-fallback.digits", FALLBACK, ["<0x4a>", "<0x+A>", "<0x 1>", "<0x-1>"], "J\n<0x 1><0x-1>"),
    (
        "decode.byte-fallback.digits",
        FALLBACK,
        ["<0x\u0664\u0661>", "<0x\u00e9>"],
        "<0x\u0664\u0661><0x\u00e9>",
    ),
    ("decode.sequence", sequence(), ["a", "b"], "ab"),
]


@pytest.mark.parametrize(("clause", "decoder", "tokens", "text"), FACTS)
def test_decoder_gives_the_text_of_its_clause(clause: str, decoder: Any, tokens: list[str], text: str):
    assert "".join(decoders.read(decoder, "decoder").decode_chain(tokens)) == text, clause


@pytest.mark.parametrize(
    ("limits", "token"), [((0, 1), ""), ((0, 2), " "), ((1, 1), " "), ((2, 2), "   "), ((0, 10**19), "  ")]
)
def test_strip_refuses_what_the_oracle_panics_on(limits: tuple[int, int], token: str):
    with pytest.raises(DecodeError):
        decoders.read(strip(*limits), "decoder").decode_chain([token])


@pytest.mark.parametrize("decoder", [fact[1] for fact in FACTS])
def test_a_decoder_is_written_as_it_was_read(decoder: Any):
    assert decoders.read(decoder, "decoder").to_fields() == decoder


WRONG = [
    ({"type": "BPEDecoder"}, "decoder.suffix"),
    ({"type": "ByteLevel", "add_prefix_space": 1, "trim_offsets": True}, "decoder.add_prefix_space"),
    ({"type": "WordPiece", "prefix": "##"}, "decoder.cleanup"),
    ({"type": "Metaspace", "replacement": "ab"}, "decoder.replacement"),
    ({"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"}, "decoder.prepend_scheme"),
    ({"type": "Metaspace", "replacement": "_", "add_prefix_space": False}, "decoder.add_prefix_space"),
    ({"type": "Metaspace", "replacement": "_", "str_rep": 3}, "decoder.str_rep"),
    (
        {"type": "CTC", "pad_token": "p", "word_delimiter_token": None, "cleanup": True},
        "decoder.word_delimiter_token",
    ),
    ({"type": "Replace", "pattern": "x", "content": ""}, "decoder.pattern"),
    ({"type": "Replace", "pattern": {"Regex": "("}, "content": ""}, "decoder.pattern.Regex"),
    ({"type": "Strip", "content": " ", "start": -1, "stop": 0}, "decoder.start"),
    ({"type": "Strip", "content": " ", "start": 0, "stop": 1.0}, "decoder.stop"),
    ({"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "Fuze"}]}, "decoder.decoders[1].type"),
    ({"type": "Sequence"}, "decoder.decoders"),
    ([], "decoder"),
]


@pytest.mark.parametrize(("value", "field"), WRONG)
def test_a_wrong_field_is_named(value: Any, field: str):
    with pytest.raises(FormatError) as caught:
        decoders.read(value, "decoder")
    assert caught.value.field == field


def test_every_decoder_of_the_oracle_is_here():
    from tokassay.core.registry import discover

    assert set(discover("tokassay.core.decoders")) == {
        "BPEDecoder",
        "ByteLevel",
        "WordPiece",
        "Metaspace",
        "CTC",
        "Sequence",
        "Replace",
        "Fuse",
        "Strip",
        "ByteFallback",
    }
