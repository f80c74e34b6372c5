"""Files read in parts, and tables instead of objects, mean what small files mean."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Optional

import pytest

from tokassay import FormatError, Tokenizer, data, formats
from tokassay.core import packed
from tokassay.core.models import entries, pieces
from tokassay.core.packed import Index, Strings, TextIndex, Texts
from tokassay.formats.tokenizer_json import careful, large, parts
from tokassay.formats.tokenizer_json.text import Reader

sys.path.insert(0, str(Path(__file__).parent))
import hostile_files
import tiny_tokens

FILES = sorted((data.root() / "golden" / "tokenizers").glob("*/tokenizer.json"))
TEXT = "Hello, unhappiest w\u00f6rld! 123 \u4f60\u597d ab"


def _read_in_parts(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for name in ("LARGE", "SIZE"):
        monkeypatch.setattr(parts, name, size)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large, every vocabulary has many tokens."""
    _read_in_parts(monkeypatch, 16)
    for module in (large, packed, entries):
        monkeypatch.setattr(module, "MANY", 2)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_file_read_in_parts_is_the_same_tokenizer(path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = Tokenizer.from_file(path)
    _read_in_parts(monkeypatch, 16)
    for module in (large, packed, entries):
        monkeypatch.setattr(module, "MANY", 2)
    read = Tokenizer.from_file(path)
    assert read.description == whole.description
    assert read.description.warnings == whole.description.warnings
    assert _ids(read) == _ids(whole)


def _ids(tokenizer: Tokenizer) -> object:
    try:
        return tokenizer.encode(TEXT).ids
    except Exception as error:  # noqa: BLE001 - whatever the one says, the other says
        return repr(error)


@pytest.mark.parametrize("name", tiny_tokens.NAMES)
def test_tables_hold_what_objects_hold(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tiny_tokens.written(name, tmp_path, 2000)
    objects = formats.read(path)
    _read_in_parts(monkeypatch, 1000)
    for module in (large, packed, entries, pieces):
        monkeypatch.setattr(module, "MANY", 100)
    assert formats.read(path) == objects


DEEP = ("deep-objects.json", "deep-unknown.json")
"""How deep Python's reader goes, and so what it says, depends on its version."""


@pytest.mark.parametrize("name", [name for name in hostile_files.FILES if name not in DEEP])
def test_what_is_too_large_for_objects_means_the_same_in_little_memory(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    data = hostile_files.FILES[name](30_000)
    whole = _outcome(data)
    _read_in_parts(monkeypatch, 1000)
    for module in (large, careful, packed, entries, pieces):
        monkeypatch.setattr(module, "MANY", 100)
    assert _outcome(data) == whole


@pytest.mark.parametrize("name", DEEP)
def test_depth_is_refused_in_little_memory(name: str, monkeypatch: pytest.MonkeyPatch):
    _read_in_parts(monkeypatch, 1000)
    assert "is nested too deeply" in str(_outcome(hostile_files.FILES[name](30_000)))


def _outcome(data: bytes) -> object:
    try:
        found = formats.parse(data, "file")
    except FormatError as error:
        return str(error)
    return found, found.warnings


def _document(**model: object) -> bytes:
    return json.dumps({"version": "1.0", "model": model}).encode()


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("space", ["", " ", "\n  "])
def test_tokens_that_look_like_borders(space: str):
    tokens = ["a", 'x,"y', "],[", '},{"', ',"', '":', "vocab", "merges", "\\", "\u4f60,", ", ", '"', "]", "}"]
    vocab = {token: index for index, token in enumerate(tokens)}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "a"}
    text = json.dumps({"version": "1.0", "model": model}, separators=("," + space, ":" + space))
    assert dict(formats.parse(text.encode()).model.vocab) == vocab


@pytest.mark.usefixtures("tiny")
def test_large_vocabularies_and_merges_become_tables():
    letters = [chr(code) for code in range(97, 123)]
    vocab = {token: index for index, token in enumerate([*letters, *(left + "a" for left in letters)])}
    document = _document(type="BPE", vocab=vocab, merges=[[left, "a"] for left in letters])
    model = formats.parse(document).model
    assert isinstance(model.vocab, TextIndex)
    assert list(model.merges) == [(left, "a") for left in letters]  # type: ignore[attr-defined]
    assert Tokenizer.from_description(formats.parse(document)).encode("baza").tokens == ["ba", "za"]


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    "model",
    [
        b'"WordLevel", "unk_token": "a", "vocab": {"aaaaaaaaaaaaaaaa": 0,}}}',
        b'"WordLevel", "unk_token": "a", "vocab": {                    ,"a":0}}}',
        b'"WordLevel", "unk_token": "a", "vocab": {"aaaaaaaaaaaaaaaa": 0',
        b'"WordLevel", "unk_token": "a", "vocab": {"aaaaaaaaaaaaaaaa": "b"}}}',
        b'"WordLevel", "unk_token": "a", "vocab": {"aaaaaaaaaaaaaaaa": -1}}}',
        b'"WordLevel", "unk_token": "a", "vocab": {"aaaaaaaaaaa": 4294967296}}}',
        b'"BPE", "vocab": {"aaaaaaaaaaaaaaaa": 0}, "merges": ["aaaaaaaaaaaaaa b"]}}',
        b'"BPE", "vocab": {"aaaaaaaaaaaaaaaa": 0}, "merges": ["aaaaaaaaaaaaaaa"]}}',
    ],
)
def test_faults_are_those_of_the_whole_text(model: bytes, monkeypatch: pytest.MonkeyPatch):
    text = b'{"version": "1.0", "model": {"type": ' + model
    with pytest.raises(FormatError) as in_parts:
        formats.parse(text, format="tokenizer.json")
    monkeypatch.setattr(parts, "LARGE", 1 << 20)
    with pytest.raises(FormatError) as whole:
        formats.parse(text, format="tokenizer.json")
    assert str(in_parts.value) == str(whole.value)


@pytest.mark.usefixtures("tiny")
def test_a_repeated_token_counts_as_in_a_small_file():
    document = b'{"version": "1.0", "model": {"type": "WordLevel", "unk_token": "a", "vocab": {%s}}}'
    found = formats.parse(document % b'"a": 0, "bbbbbbbbbbbbbbbbbbbb": 1, "cccccccccc": 2, "a": 3')
    assert dict(found.model.vocab) == {"a": 3, "bbbbbbbbbbbbbbbbbbbb": 1, "cccccccccc": 2}
    assert next(note.field for note in found.warnings) == "model.vocab.a"


def test_a_part_ends_where_its_bracket_closes():
    text = '{"vocab": [{"\u4f60": 1, "b": {"c": 2}}], "d": [1]}'.encode()
    part = parts.find_part(text, "vocab", Reader(text), 0, len(text))
    assert part is not None
    assert list(part.chunks()) == [[{"\u4f60": 1, "b": {"c": 2}}]]
    assert text[part.end :] == b', "d": [1]}'


@pytest.mark.parametrize(
    ("items", "meant"),
    [
        (r'"a": 1, "\\": 2, "\\\"": 3', {"a": 1, "\\": 2, '\\"': 3}),
        (r'"a": 1, "x\": 5": 2', {"a": 1, 'x": 5': 2}),
        ('"a": 1, "b" : 2, "c":3', {"a": 1, "b": 2, "c": 3}),
        ('"a": 1, "b", 2', None),
        ('"a", 1, "b": 2', None),
        ('"a": 1, "b": [2]', None),
        ('"a": 1, "b": ["c": 2]', None),
        ('"a": 1, "b": "c", "d"', None),
        ('"a": 1, "b": true', None),
        ('"a": 1, "a": 2', None),
        ('"a": 1,, "b": 2', None),
    ],
)
def test_an_object_of_numbers_read_as_a_list_is_the_object(items: str, meant: Optional[dict[str, int]]):
    text = f'{{"vocab": {{{items}\n}}, "d": 1}}'.encode()
    part = parts.find_part(text, "vocab", Reader(text), 0, len(text))
    assert part is not None
    if meant is None:
        with pytest.raises(parts.WHOLE):
            large.vocabulary(part)
    else:
        assert large.vocabulary(part) == meant
        assert text[part.end :] == b', "d": 1}'


@pytest.mark.parametrize("last", [False, True])
def test_an_index_finds_what_a_dict_finds(last: bool):
    strings = [str(number * number % 5000).encode() for number in range(4000)]
    expected: dict[bytes, int] = {}
    for place, string in enumerate(strings):
        expected[string] = place if last else expected.get(string, place)
    table = Strings(strings)
    index = Index.of(table, last=last)
    assert dict(index) == expected
    assert index.get(b"5001") is None
    named = TextIndex(index, Texts(table))
    assert dict(named.items()) == {string.decode(): place for string, place in expected.items()}
    assert sorted(named.values()) == sorted(expected.values())
