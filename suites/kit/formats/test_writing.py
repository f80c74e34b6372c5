"""Facts about writing: what was written is read as an equal description, and a file is whole or absent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tokassay import FormatError, data, formats
from tokassay.core.description import Padding, Truncation
from tokassay.formats.codec import codecs
from tokassay.formats.tokenizer_json.numbers import read_number, write_number

FILES = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))


@pytest.mark.parametrize("path", FILES, ids=[path.parent.name for path in FILES])
def test_read_write_read_is_equal(path: Path, tmp_path: Path) -> None:
    first = formats.read(path)
    formats.write(first, tmp_path / "again.json")
    second = formats.read(tmp_path / "again.json")
    assert second == first
    assert formats.serialize(second) == formats.serialize(first)


def test_truncation_and_padding_are_kept() -> None:
    small = formats.parse(b'{"version":"1.0","model":{"type":"WordLevel","vocab":{},"unk_token":""}}')
    for padding in (
        Padding(),
        Padding(fixed=7, direction="Left", pad_to_multiple_of=4, pad_id=3, pad_token="\u00e9"),
    ):
        full = replace(small, padding=padding, truncation=Truncation(9, 2, "OnlySecond", "Left"))
        assert formats.parse(formats.serialize(full)) == full


def test_awkward_strings_are_kept() -> None:
    tokens = [
        "",
        "\0",
        "\x1f",
        "\x7f",
        '"',
        "\\",
        "\\u0041",
        "\u2028",
        "\ufeff",
        "\U0001f600",
        "/",
        "\n\r\t\b\f",
    ]
    vocab = ",".join(f"{json.dumps(token)}:{i}" for i, token in enumerate(tokens))
    text = '{"version":"1.0","model":{"type":"WordLevel","vocab":{' + vocab + '},"unk_token":"/"}}'
    first = formats.parse(text.encode())
    assert list(first.model.vocab) == tokens
    assert formats.parse(formats.serialize(first)) == first


def test_scores_come_back_as_the_same_doubles() -> None:
    for text in (
        "-3.4635426998138428",
        "-0.1",
        "0.30000000000000004",
        "1e-300",
        "-123456789.12345679",
        "0",
        "-0.0",
    ):
        value = read_number(text)
        assert read_number(write_number(value)).hex() == value.hex()


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = tmp_path / "tokenizer.json"
    target.write_text("old")
    description = formats.read(FILES[0])
    with pytest.raises(TypeError):
        formats.write(replace(description, added_tokens=None), target)  # type: ignore[arg-type]
    blocked = tmp_path / "folder"
    blocked.mkdir()
    with pytest.raises(OSError):
        formats.write(description, blocked)
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "tokenizer.json"]


def test_a_format_is_found_by_content_not_by_name(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(FILES[0].read_bytes())
    assert formats.read(path) == formats.read(FILES[0])
    with pytest.raises(FormatError, match="not a tokenizer file"):
        formats.parse(b"\x89PNG\r\n")


def test_codecs_are_found_in_the_folder() -> None:
    found = set(codecs())
    assert "tokenizer.json" in found
    for name, codec in codecs().items():
        assert name == codec.NAME
