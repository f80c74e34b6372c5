"""Edges of files that a change of one sign in the readers would move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay import FormatError, formats
from tokassay.core.byte_records import Records, pack
from tokassay.core.description import Description
from tokassay.core.models.vocabulary import oddities
from tokassay.core.models.wordpiece import WordPiece
from tokassay.core.normalizers.bert import BertNormalizer
from tokassay.core.normalizers.code_point_table import CodePointTable
from tokassay.core.normalizers.lowercase import Lowercase
from tokassay.core.normalizers.tabled_bert import TabledBert
from tokassay.formats import _protobuf, losing, sentencepiece, tokenizer_json, vocab_bin
from tokassay.formats.mtok.companion import read_object
from tokassay.formats.tokenizer_json import text
from tokassay.formats.tokenizer_json.numbers import read_number
from tokassay.formats.tokenizer_json.places import offset_of
from tokassay.formats.vocab_bin.coverage import COMMON


def test_a_number_in_a_header_is_at_most_four_bytes():
    text = b"430 1\n0 0 1\n%d\n1\nIQ==\n"
    assert formats.parse(text % (2**32 - 1)).device.prefix_ids == (2**32 - 1,)  # type: ignore[union-attr]
    with pytest.raises(FormatError, match="expected a number"):
        formats.parse(text % 2**32)


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


def test_a_number_too_small_for_a_double_is_zero():
    assert read_number("1e-2000") == 0.0


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


@pytest.mark.parametrize(("value", "number"), [(2**64 - 1, -1), (2**63, -(2**63)), (2**63 - 1, 2**63 - 1)])
def test_a_number_of_a_message_is_signed(value: int, number: int):
    assert _protobuf.number(_protobuf.Field(1, _protobuf.VARINT, value, 0, "x")) == number


def test_too_large_a_document_is_refused_at_its_beginning(monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(text.Reader, "document", full)
    with pytest.raises(FormatError, match="memory") as caught:
        text.load(b"{}")
    assert caught.value.offset == 0


def test_an_example_is_shrunk_from_both_ends():
    assert losing._shrunk("xxa", lambda given: "a" in given) == "a"
    assert losing._shrunk("axx", lambda given: "a" in given) == "a"


@pytest.mark.parametrize(("ids", "said"), [((0, 0, 1), True), ((0, 0, 0), True), ((0, 1, 2), False)])
def test_an_id_of_several_tokens_is_told(ids: tuple[int, int, int], said: bool):
    found = oddities(dict(zip("abc", ids)), "model.vocab")
    assert any("name several" in one.reason for one in found) is said


def test_only_marks_are_taken_off_on_a_device():
    marks = TabledBert(False, False, True, False, CodePointTable(()))
    assert marks.normalize("a\u036f\u0370\u02ff") == "a\u0370\u02ff"
