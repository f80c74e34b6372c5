"""Edges of numbers in files: the widest and the smallest that each place holds."""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import replace

import pytest

from tokassay import FormatError, formats
from tokassay.core.description import Description
from tokassay.core.models.vocabulary import oddities
from tokassay.core.models.wordpiece import WordPiece
from tokassay.formats import _protobuf, gguf, tiktoken
from tokassay.formats.tokenizer_json import text
from tokassay.formats.tokenizer_json.numbers import read_number
from tokassay.formats.tokenizer_txt import documented
from tokassay.formats.tokenizer_txt.lines import Lines


def test_a_number_in_a_header_is_at_most_four_bytes():
    text = b"430 1\n0 0 1\n%d\n1\nIQ==\n"
    assert formats.parse(text % (2**32 - 1)).device.prefix_ids == (2**32 - 1,)  # type: ignore[union-attr]
    with pytest.raises(FormatError, match="expected a number"):
        formats.parse(text % 2**32)


def test_a_number_too_small_for_a_double_is_zero():
    assert read_number("1e-2000") == 0.0


@pytest.mark.parametrize(("value", "number"), [(2**64 - 1, -1), (2**63, -(2**63)), (2**63 - 1, 2**63 - 1)])
def test_a_number_of_a_message_is_signed(value: int, number: int):
    assert _protobuf.number(_protobuf.Field(1, _protobuf.VARINT, value, 0, "x")) == number


def test_a_number_of_single_precision_is_of_its_own_kind():
    with pytest.raises(FormatError):
        _protobuf.single(b"abcd", _protobuf.Field(2, _protobuf.BYTES, _protobuf.Range(0, 4), 0, "x"))


@pytest.mark.parametrize("kind", [1, 3, 6])
def test_a_score_that_is_not_finite_is_told_for_every_kind(kind: int):
    piece = b"\x0a\x01a" + b"\x15" + struct.pack("<f", float("inf")) + b"\x18" + bytes([kind])
    with pytest.raises(FormatError, match="not finite"):
        formats.parse(b"\x0a" + bytes([len(piece)]) + piece, format="sentencepiece")


def test_a_rank_far_above_its_place_is_right_in_a_long_file():
    lines = [b"YQ== 4100\n", *(base64.b64encode(b"x%d" % at) + b" %d\n" % at for at in range(300))]
    description = formats.parse(b"".join(lines), format="tiktoken")
    assert description.model.token_to_id("a") == 4100


def test_a_rank_of_more_than_four_bytes_is_none():
    assert tiktoken.probe(b"YQ== 4294967295\n")
    assert not tiktoken.probe(b"YQ== 4294967296\n")


def test_a_rank_is_far_above_by_the_whole_file():
    lines = b"".join(base64.b64encode(b"x%d" % at) + b" %d\n" % at for at in range(300))
    assert formats.parse(b"YQ== 4600\n" + lines, format="tiktoken").model.token_to_id("a") == 4600
    for data in (b"YQ== 4097", b"YQ== 4800\n" + lines):
        with pytest.raises(FormatError, match="far above"):
            formats.parse(data, format="tiktoken")


def unigram(score: str) -> bytes:
    return b'{"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0], ["b", %s]]}}' % score.encode()


def test_a_whole_score_beyond_64_bits_is_read_as_the_oracle_reads_it():
    assert formats.parse(unigram("32598304633154488709")).model.pieces[1][1] == 3.2598304633154486e19


def test_a_score_that_is_no_number_is_placed():
    with pytest.raises(FormatError) as caught:
        formats.parse(unigram('"x"'))
    assert caught.value.field == "model.vocab[1][1]"


@pytest.mark.parametrize(("number", "kind"), [(2**64 - 1, int), (10**18, int)])
def test_a_whole_number_of_64_bits_stays_one(number: int, kind: type):
    assert type(text.load(b'{"a": %d}' % number).value["a"]) is kind


def test_a_count_of_lines_may_be_one_above_the_bytes_that_are_left():
    assert Lines(b"3\nab").count("x") == 3
    with pytest.raises(FormatError, match="do not fit"):
        Lines(b"4\nab").count("x")


def test_a_length_of_more_than_four_bytes_is_not_written():
    def held(most: int) -> Description:
        return formats.project(Description(WordPiece({"[UNK]": 0}, max_input_chars_per_word=most)), "mtok")

    assert formats.serialize(held(2**32 - 1), "mtok")
    with pytest.raises(FormatError, match="above"):
        formats.serialize(
            replace(held(1), model=replace(held(1).model, max_input_chars_per_word=2**32)), "mtok"
        )


def test_every_byte_from_80_up_is_escaped():
    assert [documented._is_escaped(char) for char in "\udc7f\udc80\udcff\udd00"] == [False, True, True, False]


def test_holes_are_counted():
    (found,) = oddities({"a": 0, "b": 4}, "model.vocab")
    assert "3 holes below 4" in found.reason


@pytest.mark.parametrize(
    ("kind", "code"), [(0, "B"), (1, "b"), (2, "H"), (3, "h"), (4, "I"), (5, "i"), (10, "Q"), (11, "q")]
)
def test_whole_numbers_of_gguf_have_their_width(kind: int, code: str):
    number = -5 if code.islower() else 5
    entry = struct.pack("<Q", 1) + b"k" + struct.pack(f"<I{code}", kind, number)
    assert gguf.metadata(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + entry, {"k"}.__contains__) == {"k": number}


@pytest.mark.parametrize("index", [2**31, 2**32 - 1])
def test_an_id_has_four_bytes(index: int):
    document = {"model": {"type": "WordLevel", "vocab": {"a": index}, "unk_token": "a"}}
    assert formats.parse(json.dumps(document).encode()).model.token_to_id("a") == index


@pytest.mark.parametrize(("most", "fits"), [(2**64 - 1, True), (2**64, False)])
def test_a_size_has_64_bits(most: int, fits: bool):
    model = {
        "type": "WordPiece",
        "vocab": {"[UNK]": 0},
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
    }
    data = json.dumps({"model": {**model, "max_input_chars_per_word": most}}).encode()
    if fits:
        assert formats.parse(data).model.max_input_chars_per_word == most
    else:
        with pytest.raises(FormatError):
            formats.parse(data)
