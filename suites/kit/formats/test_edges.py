"""Edges of files that a change of one sign in the readers would move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay import FormatError, formats
from tokassay.core.byte_records import pack
from tokassay.core.description import Description
from tokassay.core.models.wordpiece import WordPiece
from tokassay.core.normalizers.bert import BertNormalizer
from tokassay.core.normalizers.lowercase import Lowercase
from tokassay.formats.mtok.companion import read_object
from tokassay.formats.tokenizer_json.numbers import read_number
from tokassay.formats.tokenizer_json.places import offset_of


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
