"""Damaged files: a FormatError with its place, or a tokenizer; nothing else, and soon."""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import struct
import sys
from pathlib import Path
from typing import Callable, Optional

import pytest

from tokassay import FormatError, Tokenizer, formats
from tokassay.core.errors import TokassayError
from tokassay.formats import clip, gguf, sentencepiece, tekken, tiktoken

sys.path.insert(0, str(Path(__file__).parent))
from models import message, piece

PIECES = b"".join([piece("<unk>", 0, 2), piece("\u2581"), piece("a"), piece("b"), piece("ab", -0.5)])
CHARSMAP = struct.pack("<I", 8) + struct.pack("<II", 0, 0) + b"x\0"
MODEL = PIECES + message(2, b"\x18\x02\x98\x02\x01") + message(3, message(2, CHARSMAP) + b"\x18\x01")


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def strings(values: list[str]) -> bytes:
    return struct.pack("<IQ", 8, len(values)) + b"".join(map(text, values))


def entry(name: str, kind: int, value: bytes) -> bytes:
    return text(f"tokenizer.ggml.{name}") + struct.pack("<I", kind) + value


def gguf_file(*entries: bytes, count: Optional[int] = None) -> bytes:
    head = struct.pack("<4sIQQ", b"GGUF", 3, 0, len(entries) if count is None else count)
    return head + b"".join(entries)


BYTES = [chr(number) for number in range(ord("a"), ord("f"))]
GGUF = gguf_file(
    entry("model", 8, text("gpt2")),
    text("general.alignment") + struct.pack("<II", 4, 32),
    text("general.flags") + struct.pack("<IIQ", 9, 7, 2) + b"\x01\x00",
    text("general.names") + struct.pack("<I", 9) + strings(["x", "y"]),
    entry("tokens", 9, strings([*BYTES, "ab"])),
    entry("token_type", 9, struct.pack("<IQ6i", 5, 6, *[1] * 6)),
    entry("merges", 9, strings(["a b"])),
)
SCORED = gguf_file(
    entry("model", 8, text("llama")),
    entry("tokens", 9, strings(["<unk>", "\u2581", "a"])),
    entry("token_type", 9, struct.pack("<IQ3i", 5, 3, 2, 1, 1)),
    entry("scores", 9, struct.pack("<IQ3f", 6, 3, 0, -1, -2)),
)
RANKS = b"YQ== 0\nYg== 1\r\n\nYWI= 2"
TEKKEN = json.dumps(
    {
        "config": {"pattern": "\\S", "default_vocab_size": 4, "default_num_special_tokens": 2},
        "vocab": [
            {"rank": i, "token_bytes": base64.b64encode(t).decode()} for i, t in enumerate([b"a", b"b"])
        ],
        "special_tokens": [{"rank": 1, "token_str": "<s>"}],
    }
).encode()
CLIP = b'"bpe_simple_vocab_16e6.txt#version: 0.2\na b</w>\r\nt h\n'
MANY = b"%c\0\0\0" + struct.pack("<Q", 1 << 60)  # an array of a type, with far too many values
SPECIAL_COUNT, SPECIAL_RANK = "config.default_num_special_tokens", "special_tokens[0].rank"
FORMAT_OF = {"gguf-scored": "gguf"}  # the others are called as their format
SMALL = {
    "sentencepiece": MODEL,
    "gguf": GGUF,
    "gguf-scored": SCORED,
    "tiktoken": RANKS,
    "tekken.json": TEKKEN,
    "clip-merges": CLIP,
}


def fault_of(data: bytes, name: Optional[str]) -> Optional[FormatError]:
    """The FormatError of loading, None without one; anything else goes through."""
    try:
        formats.parse(data, "file", format=name)
    except FormatError as error:
        return error
    return None


def tried(data: bytes, name: str) -> str:
    """What became of it."""
    fault = fault_of(data, FORMAT_OF.get(name, name))
    if fault is not None:
        assert fault.path == "file"
        assert fault.reason
        assert fault.offset is not None
        return "refused"
    tokenizer = Tokenizer.from_description(formats.parse(data, format=FORMAT_OF.get(name, name)))
    for sample in ("ab", "a \u00e9", "\t"):
        with contextlib.suppress(TokassayError):  # no token for it, or a pattern of another meaning
            tokenizer.decode(tokenizer.encode(sample).ids)
    return "loaded"


@pytest.mark.parametrize("name", SMALL)
def test_the_whole_file_loads(name: str):
    assert tried(SMALL[name], name) == "loaded"


@pytest.mark.parametrize("name", SMALL)
def test_cut_anywhere(name: str):
    data = SMALL[name]
    outcomes = [tried(data[:size], name) for size in range(len(data))]
    assert outcomes[0] == "refused"
    assert outcomes.count("refused") > len(data) // 3


CHANGES: dict[str, Callable[[int], int]] = {
    "zero": lambda _: 0,
    "ones": lambda _: 0xFF,
    "lowest bit": lambda byte: byte ^ 1,
    "highest bit": lambda byte: byte ^ 0x80,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", SMALL)
def test_every_byte_changed(name: str, change: str):
    data = SMALL[name]
    outcomes = [
        tried(data[:place] + bytes([CHANGES[change](byte)]) + data[place + 1 :], name)
        for place, byte in enumerate(data)
    ]
    assert "refused" in outcomes


@pytest.mark.parametrize("name", SMALL)
def test_a_cut_file_of_unknown_format_is_a_format_error_too(name: str):
    faults = [fault_of(SMALL[name][:size], None) for size in range(0, len(SMALL[name]), 7)]
    assert faults[0] is not None
    assert all(fault is None or fault.reason for fault in faults)


@pytest.mark.parametrize(
    ("name", "data", "field", "offset", "reason"),
    [
        ("tiktoken", b"YQ== 0\nYQ== 1\n", "ranks[1]", 7, "came before"),
        ("tiktoken", b"YQ== 0\nYg== 0\n", "ranks[1]", 7, "rank 0 is that of ranks[0]"),
        ("tiktoken", b"YQ== 0\nYg==\n", "ranks[1]", 7, "a blank and a number"),
        ("tiktoken", b"YQ== 0\n!!!! 1\n", "ranks[1]", 7, "base64"),
        ("tiktoken", b"YR== 0\n", "ranks[0]", 0, "base64"),
        ("tiktoken", b"YQ== 4294967295\n", "ranks[0]", 0, "far above"),
        ("tiktoken", b"\xef\xbb\xbfYQ== 0\n", "ranks[0]", 0, "base64"),
        ("tiktoken", b"", None, 0, "holds no rank"),
        ("sentencepiece", piece("a") + piece("a"), "pieces[1]", 12, "that of pieces[0]"),
        ("sentencepiece", piece(""), "pieces[0]", 0, "is empty"),
        ("sentencepiece", piece("a", kind=9), "pieces[0]", 0, "type 9"),
        ("sentencepiece", piece("a", float("nan")), "pieces[0]", 0, "not finite"),
        ("sentencepiece", message(1, message(1, b"\xff")), "pieces[0].1", 4, "not UTF-8"),
        ("sentencepiece", b"\x0a\x7f\x0a", "1", 0, "past the end"),
        ("sentencepiece", PIECES + message(2, b"\x18\x03"), "trainer_spec.3", 69, "neither Unigram"),
        ("sentencepiece", PIECES + message(3, message(2, b"x")), "normalizer_spec.2", 69, "charsmap"),
        ("sentencepiece", message(2, b""), "pieces", 2, "no pieces"),
        ("sentencepiece", b"\x0b", "1", 0, "wire type 3"),
        ("sentencepiece", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "1", 1, "does not end"),
        ("sentencepiece", b"\x08\x01", "pieces[0]", 0, "expected bytes, got a number"),
        ("gguf", b"GGUF", "header", 4, "needs 4 bytes"),
        ("gguf", b"GGUF\x01\0\0\0", "header", 4, "version 1"),
        ("gguf", b"GGML", "header", 0, "does not begin"),
        ("gguf", gguf_file(count=1 << 63), "metadata[0]", 24, "needs 8 bytes"),
        ("gguf", gguf_file(entry("tokens", 9, MANY % 8)), "tokenizer.ggml.tokens", 69, "do not fit"),
        ("gguf", gguf_file(entry("scores", 9, MANY % 6)), "tokenizer.ggml.scores", 69, "needs"),
        ("gguf", gguf_file(entry("x", 77, b"")), "tokenizer.ggml.x", 52, "type 77"),
        ("gguf", gguf_file(entry("x", 9, struct.pack("<IQ", 9, 1))), "tokenizer.ggml.x", 64, "is not read"),
        ("gguf", gguf_file(*[entry("pre", 8, text("a"))] * 2), "metadata[1]", 63, "came before"),
        ("gguf", gguf_file(), "tokenizer.ggml.model", 24, "is missing"),
        ("gguf", gguf_file(entry("model", 4, b"\0\0\0\0")), "tokenizer.ggml.model", 56, "expected str"),
        ("gguf", gguf_file(entry("model", 8, text("rwkv"))), "tokenizer.ggml.model", 56, "'rwkv'"),
        ("tekken.json", b"[]", "", 0, "expected an object"),
        ("tekken.json", b'{"config":', None, 10, "invalid JSON"),
        ("tekken.json", TEKKEN.replace(b'1, "token_b', b'5, "token_b'), "vocab[1].rank", 144, "places"),
        ("tekken.json", TEKKEN.replace(b"Yg==", b"YQ=="), "vocab[1].token_bytes", 162, "too"),
        ("tekken.json", TEKKEN.replace(b"Yg==", b"Y"), "vocab[1].token_bytes", 162, "base64"),
        ("tekken.json", TEKKEN.replace(b"Yg==", b""), "vocab[1].token_bytes", 162, "empty"),
        ("tekken.json", TEKKEN.replace(b'size": 4', b'size": 5'), "vocab", 98, "holds 2 of the 3"),
        ("tekken.json", TEKKEN.replace(b'size": 4', b'size": 1'), SPECIAL_COUNT, 85, "more than"),
        ("tekken.json", TEKKEN.replace(b'1, "token_s', b'2, "token_s'), SPECIAL_RANK, 200, "not below"),
        ("tekken.json", TEKKEN.replace(b"\\\\S", b"("), "config.pattern", 23, "not valid"),
        ("clip-merges", b"x", "head", 0, "name of the file"),
        ("clip-merges", CLIP + b"x\n", "merges[2]", len(CLIP), "two parts"),
        ("clip-merges", CLIP + b"\xff x\n", "merges[2]", len(CLIP), "UTF-8"),
        ("clip-merges", CLIP + b"xyz q\n", "merges[2]", len(CLIP), "xyz"),
        ("clip-merges", gzip.compress(CLIP, mtime=0)[:-1], "gzip", len(gzip.compress(CLIP)) - 1, "too early"),
        ("clip-merges", gzip.compress(bytes(64 << 20)), "gzip", 65250, "unfolds to more than"),
        ("clip-merges", b"\x1f\x8bxx", "gzip", 0, "not gzip"),
    ],
)  # fmt: skip
def test_a_fault_has_its_place(name: str, data: bytes, field: Optional[str], offset: int, reason: str):
    with pytest.raises(FormatError) as caught:
        formats.parse(data, format=name)
    assert caught.value.field == field
    assert caught.value.offset == offset
    assert reason in caught.value.reason


def test_gguf_vocabularies_whose_columns_differ_in_length_are_refused():
    for cut in ("token_type", "scores"):
        kind, code = (5, "i") if cut == "token_type" else (6, "f")
        other = entry(cut, 9, struct.pack(f"<IQ{code}", kind, 1, 1))
        columns = {
            "token_type": entry("token_type", 9, struct.pack("<IQ2i", 5, 2, 1, 1)),
            "scores": entry("scores", 9, struct.pack("<IQ2f", 6, 2, 0, 0)),
            cut: other,
        }
        tokens = entry("tokens", 9, strings(["a", "b"]))
        with pytest.raises(FormatError, match=f"{cut}.*1 .* for 2 tokens"):
            formats.parse(gguf_file(entry("model", 8, text("llama")), tokens, *columns.values()))


def test_a_merge_of_a_gguf_that_makes_no_token_has_its_place():
    bad = GGUF.replace(b"a b", b"b a")
    with pytest.raises(FormatError, match=r"makes 'ba'") as caught:
        formats.parse(bad)
    assert (caught.value.field, caught.value.offset) == ("tokenizer.ggml.merges[0]", bad.index(b"b a") - 8)


def test_a_gguf_names_the_pre_tokenizers_that_it_knows():
    bad = gguf_file(
        entry("model", 8, text("gpt2")), entry("pre", 8, text("x")), entry("tokens", 9, strings(["a"]))
    )
    with pytest.raises(FormatError, match=r"'x' is not known \(gpt-2, qwen2"):
        formats.parse(bad)
    with pytest.raises(FormatError, match=r"merges\[0\]: expected two parts"):
        formats.parse(GGUF.replace(b"a b", b"abc"))


def test_warnings_say_what_is_odd():
    assert "the file holds none" in formats.parse(RANKS).warnings[0].reason
    assert "254 bytes have no token" in formats.parse(RANKS).warnings[1].reason
    assert "no unknown piece" in formats.parse(piece("a")).warnings[0].reason


def test_a_token_of_no_bytes_is_a_hole():
    description = formats.parse(b"YQ== 0\n= 1\n")
    assert description.model.vocab_size == 2
    assert description.model.id_to_token(1) is None
    assert formats.serialize(description, "tiktoken") == b"YQ== 0\n= 1\n"


@pytest.mark.parametrize("name", ["sentencepiece", "gguf", "tekken.json", "clip-merges"])
def test_what_is_only_read_says_so(name: str):
    with pytest.raises(FormatError, match="only read"):
        formats.serialize(formats.parse(SMALL[name]), name)
    with pytest.raises(FormatError, match="byte-level score merging only"):
        formats.serialize(formats.parse(MODEL), "tiktoken")


@pytest.mark.parametrize("name", SMALL)
def test_models_of_other_libraries_have_no_json_form(name: str):
    description = formats.parse(SMALL[name])
    if name in ("sentencepiece", "gguf-scored", "tiktoken", "tekken.json"):
        with pytest.raises(FormatError, match=r"cannot hold (scored BPE|SentencePiece) \(clause"):
            formats.serialize(description)
    else:
        assert formats.parse(formats.serialize(description)) == description


def test_each_file_is_known_by_its_content():
    codecs = {"sentencepiece": sentencepiece, "gguf": gguf, "tekken.json": tekken, "tiktoken": tiktoken}
    for name, data in SMALL.items():
        assert formats.probe(data) == FORMAT_OF.get(name, name)
        for other, codec in codecs.items():
            assert codec.probe(data) == (other == FORMAT_OF.get(name, name))
    assert formats.probe(gzip.compress(CLIP)) == "clip-merges"
    assert formats.parse(gzip.compress(CLIP)) == formats.parse(CLIP)


def test_only_as_many_merges_of_clip_as_the_vocabulary_has_room_for():
    lines = CLIP + b"a b\n" * 50_000
    assert len(list(clip._merges(lines))) == 49152 - 256 - 2
