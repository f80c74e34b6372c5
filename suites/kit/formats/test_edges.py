"""Edges of files that a change of one sign in the readers would move."""

from __future__ import annotations

import json
import struct
from array import array
from dataclasses import replace
from pathlib import Path
from typing import List, Optional
from unittest import mock

import pytest

from tokassay import FormatError, formats
from tokassay.core.byte_records import Records, pack
from tokassay.core.decoders.replace import Replace
from tokassay.core.decoders.sequence import Sequence as Decoders
from tokassay.core.decoders.wordpiece import WordPiece as WordPieceDecoder
from tokassay.core.description import AddedToken, Description, Device, Program
from tokassay.core.fields import Fields
from tokassay.core.matching import TextPattern
from tokassay.core.models.bpe import BPE
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.vocabulary import oddities
from tokassay.core.models.wordpiece import WordPiece
from tokassay.core.normalizers.bert import BertNormalizer
from tokassay.core.normalizers.code_point_table import CodePointTable
from tokassay.core.normalizers.lowercase import Lowercase
from tokassay.core.normalizers.tabled_bert import TabledBert
from tokassay.formats import gguf, losing, sentencepiece, tiktoken, tokenizer_json, vocab_bin
from tokassay.formats import oddities as file_oddities
from tokassay.formats._patterns import CL100K, QWEN
from tokassay.formats.mtok.companion import read_object
from tokassay.formats.mtok.losing import missing as lost_in_mtok
from tokassay.formats.tokenizer_json import text
from tokassay.formats.tokenizer_json.places import offset_of
from tokassay.formats.tokenizer_txt import likeness, writing
from tokassay.formats.vocab_bin.compiling import SINGLE, Compiled
from tokassay.formats.vocab_bin.coverage import COMMON


def test_a_file_is_written_in_the_format_of_its_name(tmp_path: Path):
    description = Description(WordPiece({"[UNK]": 0, "a": 1}))
    formats.write(description, tmp_path / "small.json")
    assert (tmp_path / "small.json").read_bytes().lstrip().startswith(b"{")
    formats.write(formats.project(description, "mtok"), tmp_path / "small.mtok")
    assert (tmp_path / "small.mtok").read_bytes().startswith(b"430 4")


@pytest.mark.parametrize(("name", "reason"), [("absent", "No such file"), ("a\0b", "null")])
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, name: str, reason: str):
    with pytest.raises(FormatError, match=reason):
        formats.read(tmp_path / name)


def test_a_companion_that_is_not_json_is_refused(tmp_path: Path):
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(FormatError, match="cannot be read"):
        read_object(tmp_path / "config.json")


def test_the_first_id_has_a_token():
    assert formats.parse(pack([b"!", b"a"]), format="vocab.bin").model.id_to_token(0) == "!"


def test_on_a_device_lower_case_is_all_that_lower_casing_does():
    description = Description(WordPiece({"[UNK]": 0, "a": 1}), normalizer=Lowercase())
    kept = BertNormalizer(False, False, strip_accents=False, lowercase=True)
    assert formats.project(description, "mtok").normalizer == kept


def test_a_field_with_a_control_character_in_its_name_is_placed():
    assert offset_of(b'{"a\tb": {"c": 1}}', "a\tb.c") == len(b'{"a\tb": {"c": ')


def test_a_long_first_piece_is_found():
    assert sentencepiece.probe(b"\x0a\x80\x01\x0a")
    assert sentencepiece.probe(b"\x0a\x80\x80\x01\x0a")


def test_a_byte_order_mark_is_before_the_object():
    assert tokenizer_json.probe(b"\xef\xbb\xbf {}")


def test_a_table_of_text_begins_with_two_numbers():
    with pytest.raises(FormatError, match="430 and a type"):
        formats.parse(b"430 0 0\n0 0 0\n\n0\n", format="tokenizer.txt")


def test_the_characters_that_a_table_lacks_stand_beside_its_figures():
    def seen(*strings: bytes) -> object:
        return vocab_bin.facts(formats.parse(pack(strings), format="vocab.bin"))["common characters"]

    assert "MISSING" in str(seen(b"!"))
    assert "MISSING" not in str(seen(*(character.encode() for character in COMMON)))


def test_a_jump_over_the_end_is_noticed_at_the_entry_that_jumps():
    with pytest.raises(FormatError) as caught:
        Records((3).to_bytes(4, "little") + b"\0\0\0\0\xff\xff" + b"\0" * 12)
    assert (caught.value.field, caught.value.offset) == ("entries[0]", 4)


def test_too_large_a_document_is_refused_at_its_beginning():
    full = mock.patch.object(text.Reader, "document", side_effect=MemoryError)
    with full, pytest.raises(FormatError, match="memory") as caught:
        text.load(b"{}")
    assert caught.value.offset == 0


def test_an_example_is_shrunk_from_both_ends():
    assert losing._shrunk("xxa", lambda given: "a" in given) == "a"
    assert losing._shrunk("axx", lambda given: "a" in given) == "a"


@pytest.mark.parametrize(("ids", "shared"), [((0, 0, 1), "0"), ((1, 0, 1), "1"), ((0, 1, 2), None)])
def test_an_id_of_several_tokens_is_told(ids: tuple[int, int, int], shared: Optional[str]):
    found = [one.reason for one in oddities(dict(zip("abc", ids)), "model.vocab")]
    told = [f"1 ids name several tokens ({shared}); the last one is decoded"] if shared else []
    assert [reason for reason in found if "several" in reason] == told


def test_only_marks_are_taken_off_on_a_device():
    marks = TabledBert(False, False, True, False, CodePointTable(()))
    assert marks.normalize("a\u036f\u0370\u02ff") == "a\u0370\u02ff"


def test_pieces_that_come_again_are_counted():
    description = Description(Unigram((("a", 0.0), ("b", 0.0), ("a", 0.0), ("a", 0.0)), 0))
    assert "2 pieces come again" in " ".join(
        one.reason for one in file_oddities.examine(description).warnings
    )


def test_a_splitter_that_never_marks_may_say_so_twice():
    fields = {
        "type": "Metaspace",
        "replacement": "\u2581",
        "add_prefix_space": False,
        "prepend_scheme": "never",
    }
    document = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, "pre_tokenizer": fields}
    assert formats.parse(json.dumps(document).encode()).pre_tokenizer is not None


def test_a_vocabulary_without_a_token_has_no_lines():
    assert writing._dense(Description(BPE({}, ()))) == []


def test_only_byte_pieces_are_bytes_in_a_table_of_text():
    pieces = (("<unk>", 0.0), ("abcdef", -1.0), ("<0x41>", -2.0), ("<0xAB", -3.0))
    model = Unigram(pieces, 0, byte_fallback=True)
    described = formats.project(Description(model), "tokenizer.txt")
    made = formats.parse(formats.serialize(described, "tokenizer.txt"))
    assert [int(piece.kind) for piece in made.model.table.pieces] == [2, 1, 6, 1]


def test_word_pieces_of_gguf_are_decoded_as_they_are():
    entries = {
        "tokens": ["[UNK]", "\u2581a", "b"],
        "token_type": array("i", [3, 1, 1]),
        "unknown_token_id": 0,
    }
    made = gguf._word_pieces(entries, "bert")
    assert made.decoder == WordPieceDecoder("##", cleanup=False)
    assert made.normalizer == BertNormalizer(True, True, strip_accents=True, lowercase=True)


def test_a_value_is_shown_in_ascii():
    with pytest.raises(FormatError, match=r"\\u00e9"):
        Fields({"a": "\u00e9"}, "x").integer("a")


def test_a_companion_that_cannot_be_opened_is_refused(tmp_path: Path):
    (tmp_path / "config.json").write_text("{}")
    closed = mock.patch.object(Path, "read_bytes", side_effect=PermissionError("closed"))
    with closed, pytest.raises(FormatError, match="closed"):
        read_object(tmp_path / "config.json")


def test_lower_case_is_kept_or_not_on_a_device():
    assert TabledBert(False, False, False, True).normalize("A") == "a"
    assert TabledBert(False, False, False, False).normalize("A") == "A"


def test_a_model_with_a_prefix_is_not_like_one_without():
    plain, empty, marked = (
        Description(BPE({"a": 0}, (), continuing_subword_prefix=prefix)) for prefix in (None, "", "##")
    )
    assert likeness.alike(empty, plain, "model")
    assert not likeness.alike(marked, plain, "model")


def test_a_field_is_sought_in_its_own_part():
    data = b"\x0a\x03\x0a\x01a" + b"\x12\x02\x18\x02" + b"\x1a\x02\x18\x00"
    assert sentencepiece.locate(data, "trainer_spec.3") == sentencepiece.locate(data[:9], "trainer_spec.3")
    assert sentencepiece.locate(data, "pieces") == len(data)


def test_a_decoder_within_a_sequence_is_named_where_it_is_lost():
    by_expression = Replace(TextPattern("Regex", "a+"), "b")
    described = Description(WordPiece({"[UNK]": 0, "a": 1}), decoder=Decoders((by_expression,)))
    lost = [one.field for one in lost_in_mtok(described)]
    assert "decoder.decoders[0]" in lost


def test_decoding_bytes_uses_the_expression_unless_told():
    document = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}
    document["decoder"] = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True}
    assert formats.parse(json.dumps(document).encode()).decoder.to_fields()["use_regex"] is True


def test_the_unknown_word_of_gguf_is_the_hundredth_unless_told():
    tokens = [f"\u2581{at}" for at in range(102)]
    entries = {"tokens": tokens, "token_type": array("i", [1] * 102)}
    assert gguf._word_pieces(entries, "bert").model.unk_token == tokens[100]


def test_u0143_is_the_soft_hyphen_byte():
    assert [SINGLE.get(chr(code)) for code in (0x121, 0x122, 0x142, 0x143, 0x144)] == [
        b"\x7f",
        b"\x80",
        b"\xa0",
        b"\xad",
        None,
    ]


@pytest.mark.parametrize(("last", "fits"), [(4 * 2 + 1023, True), (4 * 2 + 1024, False)])
def test_a_table_holds_so_many_holes_and_no_more(last: int, fits: bool):
    entries = Compiled({0: b"a", last: b"b"}, {}, 0)
    if fits:
        assert len(entries.data) > last
    else:
        with pytest.raises(FormatError, match="reach up to id"):
            entries.data  # noqa: B018 - it is made when it is asked for


def test_a_string_that_stood_for_a_mark_is_not_written_again():
    fields = {"type": "Metaspace", "replacement": "\u2581", "str_rep": "\u2581", "prepend_scheme": "always"}
    document = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, "pre_tokenizer": fields}
    described = formats.parse(json.dumps(document).encode())
    assert b"str_rep" not in formats.serialize(described)
    assert "str_rep" not in str(described.warnings)


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("pre_tokenizer", ["CharDelimiterSplit", "x"]),
        ("pre_tokenizer", ["FixedLength", 5]),
        ("post_processor", ["Sequence", []]),
    ],
)
def test_a_component_that_has_to_name_its_type_is_no_list(place: str, fields: List[object]):
    document = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, place: fields}
    with pytest.raises(FormatError, match=f"{place}: expected an object, got a list of 2"):
        formats.parse(json.dumps(document).encode())


@pytest.mark.parametrize(
    "beside", ["0", "-0"]
)  # with minus zero in it, a file's integers are read one by one
@pytest.mark.parametrize(
    ("length", "fits"), [(2**63, True), (2**64 - 1, True), (2**64, False), (2**65, False)]
)
def test_a_count_has_64_bits(length: int, fits: bool, beside: str):
    fields = '"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "##", "vocab": {"a": 0}'
    model = f'{{{fields}, "max_input_chars_per_word": {length}, "note": {beside}}}'
    content = f'{{"model": {model}}}'.encode()
    if fits:
        found = formats.parse(content).model.max_input_chars_per_word
        assert (type(found), found) == (int, length)
    else:
        with pytest.raises(FormatError, match=r"max_input_chars_per_word: .*in 0\.\.18446744073709551615"):
            formats.parse(content)


def test_a_pattern_is_guessed_by_the_number_of_ranks():
    assert {100256: CL100K, 128000: CL100K, 151643: QWEN}.items() <= tiktoken.PATTERNS.items()


@pytest.mark.parametrize(
    ("part", "fields"),
    [
        ("pre_tokenizer", {"type": "CharDelimiterSplit"}),
        ("pre_tokenizer", {"type": "Sequence"}),
        ("post_processor", {"type": "Sequence"}),
    ],
)
def test_what_a_part_lacks_is_named(part: str, fields: dict[str, str]):
    document = {"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}, part: fields}
    with pytest.raises(FormatError, match="missing"):
        formats.parse(json.dumps(document).encode())


def test_a_string_is_not_sought_in_as_in_a_list():
    entry = struct.pack("<Q", 1) + b"k" + struct.pack("<IQ", 8, 8) + b"abcdefgh"
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + entry
    assert gguf.locate(data, "k[0]") == gguf.locate(data, "k")


def test_a_program_that_can_be_read_in_one_way_only_is_no_oddity():
    described = formats.project(Description(WordPiece({"[UNK]": 0, "a": 1})), "mtok")
    held = replace(described, device=Device((), (), (), "", "", 0, "", Program((1, None))))
    found = formats.parse(formats.serialize(held, "mtok"), format="mtok")
    assert (found.device.program, found.warnings) == (Program((1, None)), ())


def test_a_line_is_written_for_the_id_that_a_token_has():
    described = Description(BPE({"a": 0, "b": 1}, ()), added_tokens=(AddedToken(7, "b"),))
    assert writing._dense(described) == ["a", "b"]


def test_a_name_that_cannot_be_read_is_taken_as_it_is():
    assert offset_of(b'{"\\x": 1}', "b") == 0
