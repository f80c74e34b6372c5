"""Facts about reading tokenizer.json: refusals with their field, oddities as warnings. No oracle needed."""

from __future__ import annotations

import gc
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tokassay import FormatError, formats
from tokassay.core.collecting import no_collection

MODEL = '{"type":"WordLevel","vocab":{"a":0,"b":1},"unk_token":"a"}'


def file(**fields: str) -> bytes:
    """A document whose fields are given as JSON text."""
    fields = {"version": '"1.0"', "model": MODEL, **fields}
    return ("{" + ",".join(f'"{name}":{text}' for name, text in fields.items()) + "}").encode()


def fault(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        formats.parse(data, "some.json")
    assert caught.value.path == "some.json"
    return caught.value


def warnings(data: bytes) -> list[tuple[str, str]]:
    return [(warning.field, warning.reason) for warning in formats.parse(data).warnings]


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"", 0),
        (b"garbage", 0),
        (b'\xef\xbb\xbf{"model":1}', 0),
        (b'{"version":"\xff"}', 12),
        (b'{"version":01}', 12),
        (b'{"version":"1.0"} x', 18),
        (b'{"version":"1.0"', 16),
        ('{"\u00e9":1 2}'.encode(), 8),
        (b'{"version":"\\ud800"}', 12),
        (b'{"version":"a\nb"}', 13),
    ],
)
def test_faults_in_the_text_have_a_byte_offset(data: bytes, offset: int) -> None:
    assert fault(data).offset == offset


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 400, "9" * 5000])
def test_numbers_beyond_json_are_refused(number: str) -> None:
    assert fault(file(model=MODEL[:-1] + f',"x":{number}}}')).reason


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"version": '"2.0"'}, "version"),
        ({"version": "1.0"}, "version"),
        ({"model": "null"}, "model"),
        ({"model": MODEL.replace("WordLevel", "Word")}, "model.type"),
        ({"model": MODEL.replace(":1}", ":1.0}")}, "model.vocab['b']"),
        ({"model": MODEL.replace(":1}", ":-0}")}, "model.vocab['b']"),
        ({"model": MODEL.replace(":1}", ":4294967296}")}, "model.vocab['b']"),
        ({"model": MODEL.replace('"a"}', "null}")}, "model.unk_token"),
        ({"extra": "1"}, "extra"),
        ({"added_tokens": "null"}, "added_tokens"),
        ({"added_tokens": '[{"id":1,"content":"x"}]'}, "added_tokens[0].single_word"),
        ({"normalizer": '{"type":"Nope"}'}, "normalizer.type"),
        ({"normalizer": '{"type":"Prepend"}'}, "normalizer.prepend"),
        (
            {"normalizer": '{"type":"Replace","pattern":{"Regex":"("},"content":""}'},
            "normalizer.pattern.Regex",
        ),
        ({"normalizer": '{"type":"Sequence","normalizers":[{"type":"NFC"},5]}'}, "normalizer.normalizers[1]"),
        ({"decoder": '{"type":"Strip","content":"ab","start":1,"stop":0}'}, "decoder.content"),
        (
            {"truncation": '{"max_length":1,"max_length":2,"strategy":"OnlyFirst","stride":0}'},
            "truncation.max_length",
        ),
        ({"padding": '{"strategy":"Longest"}'}, "padding.strategy"),
    ],
)
def test_faults_in_the_structure_have_a_field(fields: dict[str, str], field: str) -> None:
    assert fault(file(**fields)).field == field


def test_a_missing_model_is_named() -> None:
    assert fault(b'{"version":"1.0"}').field == "model"


def test_an_unknown_type_is_named_beside_the_known_ones() -> None:
    reason = fault(file(pre_tokenizer='{"type":"Splat"}')).reason
    assert "Splat" in reason
    assert "Whitespace" in reason


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"normalizer": '{"type":"Foo","prepend":"x"}'}, "normalizer.type", "fit Prepend"),
        ({"normalizer": '["NFC"]'}, "normalizer", "list of its fields"),
        ({"normalizer": '{"type":"NFC","x":1}'}, "normalizer.x", "unknown field"),
        ({"model": MODEL.replace('"type":"WordLevel",', "")}, "model.type", "fit WordLevel"),
        ({"model": MODEL.replace('"b":1', '"a":1')}, "model.vocab.a", "more than once"),
        ({"model": MODEL.replace('"b":1', '"b":0')}, "model.vocab", "several tokens"),
        ({"model": MODEL.replace('"b":1', '"b":3')}, "model.vocab", "holes"),
        (
            {"model": MODEL.replace('"unk_token":"a"', '"unk_token":"?"')},
            "model.unk_token",
            "not in the vocabulary",
        ),
    ],
)
def test_oddities_are_warnings(fields: dict[str, str], field: str, words: str) -> None:
    found = warnings(file(**fields))
    assert any(place == field and words in reason for place, reason in found), found
    with pytest.raises(FormatError):
        formats.parse(file(**fields), strict=True)


def test_a_sound_file_has_no_warnings() -> None:
    assert warnings(file()) == []
    formats.parse(file(), strict=True)


def test_an_id_that_is_ignored_is_a_warning() -> None:
    flags = ",".join(
        f'"{name}":false' for name in ("single_word", "lstrip", "rstrip", "normalized", "special")
    )
    token = '[{"id":7,"content":"x",' + flags + "}]"
    assert [place for place, _ in warnings(file(added_tokens=token))] == ["added_tokens[0]"]


def test_the_order_of_fields_does_not_matter() -> None:
    document = json.loads(file(normalizer='{"type":"NFC"}'))
    turned = dict(reversed(list(document.items())))
    assert formats.parse(json.dumps(turned).encode()) == formats.parse(json.dumps(document).encode())


def test_a_file_that_cannot_be_read_is_a_format_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.json", "a\0b"):
        with pytest.raises(FormatError, match=r"cannot be read|is a folder without"):
            formats.read(path)


def test_a_format_may_be_named() -> None:
    assert formats.parse(file(), format="tokenizer.json") == formats.parse(file())
    with pytest.raises(FormatError, match=r"tokenizer\.json"):
        formats.parse(file(), format="nonsense")


def test_nesting_however_deep_is_refused_at_once() -> None:
    for depth in (200, 10_000, 3_000_000):
        start = time.monotonic()
        assert "nested" in fault(file(normalizer="[" * depth)).reason or depth == 200
        assert "nested" in fault(file(normalizer="[" * depth + "]" * depth)).reason
        assert time.monotonic() - start < 20


def test_files_above_the_limit_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as large:
        large.truncate(formats.MAX_BYTES + 1)  # a hole: no disk is used
    with pytest.raises(FormatError, match="larger than"):
        formats.read(path)


def test_the_collector_is_left_as_it_was() -> None:
    was = gc.isenabled()
    try:
        for enabled in (True, False):
            (gc.enable if enabled else gc.disable)()
            formats.parse(file())
            fault(b"{")
            assert gc.isenabled() == enabled
    finally:
        (gc.enable if was else gc.disable)()


@pytest.mark.parametrize("frozen", [False, True])
def test_what_a_caller_froze_stays_frozen_behind_a_large_file(frozen: bool) -> None:
    if frozen:
        gc.freeze()
    try:
        with no_collection(keep=True):
            pass
        assert (gc.get_freeze_count() > 0) == frozen
    finally:
        gc.unfreeze()


def test_every_prefix_of_a_file_is_refused() -> None:
    whole = (golden() / "ctc" / "tokenizer.json").read_bytes().rstrip()
    for size in range(0, len(whole), 7):
        assert fault(whole[:size]).reason


def golden() -> Any:
    from tokassay import data

    return data.root() / "golden" / "tokenizers"
