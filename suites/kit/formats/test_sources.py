"""vocab.txt, and vocab.json with the merges.txt beside it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Iterator

import pytest

from tokassay import FormatError, Tokenizer, formats
from tokassay.core.errors import TokassayError
from tokassay.formats import paired, wordlist


def pair(folder: Path, vocab: str, merges: str) -> Path:
    (folder / "merges.txt").write_bytes(merges.encode())
    (folder / "vocab.json").write_bytes(vocab.encode())
    return folder / "vocab.json"


def test_merges_beside_a_vocabulary_are_read(tmp_path: Path):
    path = pair(tmp_path, '{"a":0,"b":1,"c":2,"ab":3,"abc":4}', "#version: 0.2\r\na b\r\nab c\r\n\r\n")
    assert Tokenizer.from_file(path).encode("abcab").ids == [4, 3]


def test_a_vocabulary_alone_is_refused(tmp_path: Path):
    (tmp_path / "vocab.json").write_text('{"a":0}')
    with pytest.raises(FormatError, match=r"merges\.txt") as caught:
        formats.read(tmp_path / "vocab.json")
    assert caught.value.path == str(tmp_path / "vocab.json")


@pytest.mark.parametrize(
    ("vocab", "merges", "field"),
    [
        ('{"a":0,', "", "vocab"),
        ('{"a":0,"b":-1}', "", "vocab"),
        ('{"a":0,"b":true}', "", "vocab"),
        ('{"a":0,"b":1,"ab":2}', "a  b", "merges[0]"),
        ('{"a":0,"b":1,"ab":2}', "a b\n#version: 0.2 x", "merges[1]"),
    ],
)
def test_what_is_no_vocabulary_or_merge_is_refused_with_its_field(
    tmp_path: Path, vocab: str, merges: str, field: str
):
    with pytest.raises(FormatError) as caught:
        formats.read(pair(tmp_path, vocab, merges), format="vocab.json")
    assert caught.value.field == field


def test_a_merge_of_no_token_is_refused(tmp_path: Path):
    with pytest.raises(FormatError):
        formats.read(pair(tmp_path, '{"a":0,"b":1}', "a b"))


def test_a_word_list_is_found_by_its_unknown_token(tmp_path: Path):
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"[PAD]\n[UNK]\nab\n##c")
    assert formats.probe(path.read_bytes()) == "vocab.txt"
    assert Tokenizer.from_file(path).encode("ABC x").ids == [2, 3, 1]
    assert formats.losses(formats.read(path), "tokenizer.txt") == []


def test_a_word_list_that_is_not_utf8_is_refused_at_its_line():
    with pytest.raises(FormatError) as caught:
        formats.parse(b"[UNK]\n\xff\n", format="vocab.txt")
    assert (caught.value.field, caught.value.offset) == ("vocab[1]", 6)


def test_sources_are_not_written(tmp_path: Path):
    description = formats.read(pair(tmp_path, '{"a":0}', ""))
    for codec in (paired, wordlist):
        with pytest.raises(FormatError, match="only read"):
            codec.serialize(description)


def test_an_object_of_other_values_is_no_vocabulary():
    assert not paired.probe(b'{"version": "1.0", "a": 1}')
    assert formats.probe(b'{"version": "1.0"}') == "tokenizer.json"


def test_a_folder_stands_for_the_tokenizer_in_it(tmp_path: Path):
    pair(tmp_path, '{"a":0,"b":1,"ab":2}', "a b")
    (tmp_path / "vocab.txt").write_text("[UNK]\nab")
    assert Tokenizer.from_file(tmp_path).encode("ab").ids == [2]


def test_a_folder_without_a_tokenizer_is_refused(tmp_path: Path):
    with pytest.raises(FormatError, match=r"folder without any of tokenizer\.json") as caught:
        formats.read(tmp_path)
    assert caught.value.path == str(tmp_path)


PARTS = {
    "vocab.txt": (b"[UNK]\nab\n\n##c\r\n\xc3\xa9",),
    "vocab.json": (b'{"a":0,"b":1,"ab":2}', b"#version: 0.2\na b\r\n"),
}


def damaged(data: bytes) -> Iterator[bytes]:
    """Cut at every byte, every byte zero, all ones, a line feed, with one bit flipped, away, twice."""
    for at in range(len(data)):
        changed = (0, 0xFF, 0x0A, *(data[at] ^ 1 << bit for bit in range(8)))
        yield from (data[:at] + bytes([value]) + data[at + 1 :] for value in changed)
        yield from (data[:at], data[:at] + data[at + 1 :], data[: at + 1] + data[at:])


@pytest.mark.parametrize("name", PARTS)
def test_damage_is_refused_or_loaded(name: str):
    first, *beside = PARTS[name]
    files = [[one, *beside] for one in damaged(first)]
    files += [[first, one] for one in damaged(beside[0])] if beside else []
    faults = []
    for parts in files:
        content = paired.joined(*parts) if beside else parts[0]
        try:
            tokenizer = Tokenizer.from_description(formats.parse(content, format=name))
        except FormatError as error:
            faults.append(error)
            continue
        with contextlib.suppress(TokassayError):  # no token for it
            tokenizer.decode(tokenizer.encode("ab c").ids)
    assert 0 < len(faults) < len(files)
    assert [fault.reason for fault in faults if not fault.field and fault.offset is None] == []
