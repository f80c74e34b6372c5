"""What is refused by name because it would take too much memory, and what is counted instead of listed."""

from __future__ import annotations

import json
import sys
from array import array
from pathlib import Path
from typing import Callable

import pytest

from tokassay import FormatError, formats
from tokassay.core.added_columns import AddedTokens
from tokassay.core.description import AddedToken
from tokassay.core.models.vocabulary import reverse
from tokassay.core.packed import Index, Strings, TextIndex, Texts
from tokassay.formats import sentencepiece
from tokassay.formats.tokenizer_json import careful, walking
from tokassay.formats.tokenizer_json.text import Reader
from tokassay.formats.tokenizer_json.walking import Walker

sys.path.insert(0, str(Path(__file__).parent))
from hostile_devices import BINARY
from hostile_files import JSON

IDS = "1 " * 100_001
MODEL = {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0}}


def _document(**fields: object) -> bytes:
    return json.dumps({"version": "1.0", "model": MODEL, **fields}).encode()


def _pattern(size: int) -> bytes:
    split = {"type": "Split", "pattern": {"String": "a" * size}, "behavior": "Isolated", "invert": False}
    return _document(pre_tokenizer=split)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (f"430 4\n100001 0 0\n{IDS}\n".encode, "header.ids"),
        (f"430 1\n100001 0 0\n{IDS}\n1\nYQ==\n".encode, "header.ids"),
        (f"430 1\n0 0 0\n\n1\n{'YWFh' * (1 << 20)}YWFh\n".encode, "vocab[0]"),
        (lambda: _pattern(100_000), "pre_tokenizer"),
        (lambda: BINARY["template.mtok"](1 + (16 << 20)), "chat_template"),
    ],
    ids=["mtok-header", "txt-header", "line", "pattern", "template"],
)
def test_what_is_too_much_is_refused_with_its_field(make: Callable[[], bytes], field: str):
    with pytest.raises(FormatError, match=r"\d") as caught:
        formats.parse(make())
    assert caught.value.field == field
    assert caught.value.offset is not None


def test_a_pattern_of_many_characters_is_compiled():
    assert formats.parse(_pattern(10_000)).warnings == ()


def test_more_control_pieces_than_there_is_room_for_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sentencepiece, "MOST_NAMED", 3)
    with pytest.raises(FormatError, match="3 are allowed") as caught:
        formats.parse(BINARY["control.model"](1000))
    assert caught.value.field == "pieces"


def test_more_added_tokens_than_there_is_room_for_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(careful.parts, "LARGE", 100)
    monkeypatch.setattr(careful, "MOST_ADDED", 3)
    with pytest.raises(FormatError, match="more than 3") as caught:
        careful.load_carefully(JSON["added"](1000))
    assert caught.value.field == "added_tokens[3]"


@pytest.mark.parametrize("limit", ["LONGEST", "SPARE"])
def test_a_walk_keeps_within_its_room(limit: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walking, limit, 50 if limit == "LONGEST" else -100)
    walker = Walker(Reader(b'{"a": "%b", "b": [1, 2, 3]}' % (b"b" * 60)))
    with pytest.raises(FormatError, match="are read" if limit == "LONGEST" else "memory"):
        walker.document(lambda _: False)


def test_repeated_keys_and_odd_added_tokens_are_counted_beyond_a_thousand():
    keys = ",".join(f'"t{number}":{number}' for number in range(1200))
    model = f'{{"type":"WordLevel","unk_token":"t0","vocab":{{{keys},{keys}}}}}'
    found = formats.parse(f'{{"version":"1.0","model":{model}}}'.encode()).warnings
    assert [warning.reason for warning in found][-1].startswith("200 more keys")
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    added = [{"id": 9, "content": f"<{number}>", **flags} for number in range(1200)]
    assert (
        formats.parse(_document(added_tokens=added)).warnings[-1].reason.endswith("more oddities like these")
    )


def test_the_wrong_entry_of_a_vocabulary_has_its_offset():
    text = b'{"version":"1.0","model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0,"it\'s":"b"}}}'
    with pytest.raises(FormatError) as caught:
        formats.parse(text)
    assert caught.value.offset == text.index(b'"b"')


def test_tokens_of_a_table_are_found_by_their_ids():
    strings = Strings([b"a", b"b", b"c", b"b"])
    table = TextIndex(Index.of(strings, last=True), Texts(strings), array("I", [7, 1, 7, 4]))
    found = reverse(table)
    assert dict(found) == {7: "c", 4: "b"} == reverse({"a": 7, "c": 7, "b": 4})
    assert len(found) == 2
    assert found.get(1) is None


def test_added_tokens_in_columns_are_the_same_tokens():
    tokens = (AddedToken(7, "<a>", lstrip=True, normalized=False), AddedToken(1, "b", special=True))
    columns = AddedTokens()
    for token in tokens:
        columns.append(token)
    assert columns == tokens
    assert columns[1] == tokens[1]
