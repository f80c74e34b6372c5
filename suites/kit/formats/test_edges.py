"""Edges of files that a change of one sign in the readers would move."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokassay import FormatError, formats
from tokassay.core.description import Description
from tokassay.core.models.wordpiece import WordPiece


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
