"""What .mtok holds of a description, what it loses, and that reading back gives what was written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List

import pytest

from tokassay import FormatError, Tokenizer, data, formats
from tokassay.core.description import Description, Device, Program
from tokassay.core.errors import TokassayError
from tokassay.core.normalizers.code_point_table import CodePointTable
from tokassay.core.normalizers.tabled_bert import TabledBert
from tokassay.core.normalizers.untabled_nfkc import UntabledNFKC
from tokassay.core.unicode.single_points import known_version, single_points
from tokassay.formats.losing import PROBES
from tokassay.formats.mtok.projecting import project
from tokassay.formats.mtok.reading import parse
from tokassay.formats.mtok.writing import written

OWN = {path.parent.name: path for path in (data.root() / "golden" / "tokenizers").glob("*/tokenizer.json")}
LETTERS = {
    "a": 0,
    "b": 1,
    "c": 2,
    " ": 3,
    ".": 4,
    "é": 5,
    "e": 6,
    "\u0301": 7,
    "ab": 8,
    "-": 9,
    "▁": 10,
    "A": 11,
}


def described(**parts: Any) -> Description:
    """A small BPE with some components replaced, as HF's file would say it."""
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": LETTERS,
        "merges": [["a", "b"]],
    }
    document: Dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": model,
    }
    for name, value in parts.items():
        if name in document:
            document[name] = value
        else:
            model[name] = value
    return formats.parse(json.dumps(document).encode())


@pytest.mark.parametrize("name", sorted(OWN))
def test_reading_back_gives_what_was_written(name: str) -> None:
    description = formats.read(OWN[name])
    if description.model.TYPE == "WordLevel" or getattr(description.model, "unk_id", 0) is None:
        with pytest.raises(FormatError, match="nor anything near it"):
            formats.project(description, "mtok")
        return
    held = formats.project(description, "mtok")
    content = written(held)
    assert parse(content) == held
    assert formats.project(held, "mtok") == held
    assert written(parse(content)) == content
    assert formats.losses(held, "mtok") == []
    assert formats.serialize(held, "mtok") == content


def answers(tokenizer: Tokenizer, text: str) -> object:
    try:
        return tokenizer.encode(text).ids, tokenizer.decode(tokenizer.encode(text).ids)
    except TokassayError as error:
        return type(error)


@pytest.mark.parametrize("name", sorted(OWN))
def test_without_losses_nothing_changes_and_every_example_shows_one(name: str) -> None:
    description = formats.read(OWN[name])
    losses = formats.losses(description, "mtok")
    for loss in losses:
        assert loss.text is None or loss.before != loss.after
    if losses:
        with pytest.raises(FormatError, match="cannot hold it"):
            formats.serialize(description, "mtok")
        return
    before = Tokenizer(description)
    after = Tokenizer(formats.parse(formats.serialize(description, "mtok"), format="mtok"))
    assert [text for text in PROBES if answers(before, text) != answers(after, text)] == []


NORMALIZERS: List[Dict[str, Any]] = [
    {"type": "NFC"},
    {"type": "NFKC"},
    {"type": "NFKD"},
    {"type": "NFD"},
    {"type": "StripAccents"},
    {"type": "Replace", "pattern": {"Regex": "a+"}, "content": "b"},
    {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "NFC"}]},
]
SPLITTERS: List[Dict[str, Any]] = [
    {"type": "Whitespace"},
    {"type": "CharDelimiterSplit", "delimiter": "-"},
    {"type": "Split", "pattern": {"Regex": "-"}, "behavior": "Contiguous", "invert": False},
    {"type": "Split", "pattern": {"String": "."}, "behavior": "Isolated", "invert": False},
]
FIRST = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True}
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
STOP = {"id": 12, "content": "<s>", **dict.fromkeys(FLAGS, False)}
CASES = [
    *[("normalizer", {"normalizer": one}) for one in NORMALIZERS],
    *[("pre_tokenizer", {"pre_tokenizer": one}) for one in SPLITTERS],
    ("model.unk_token", {"unk_token": "c"}),
    ("pre_tokenizer", {"pre_tokenizer": FIRST, "added_tokens": [STOP]}),
    ("model.ignore_merges", {"ignore_merges": True, "vocab": {**LETTERS, "cc": 12}}),
    ("model.end_of_word_suffix", {"end_of_word_suffix": "e", "vocab": {**LETTERS, "ae": 12}}),
    ("decoder", {"decoder": None}),
    (
        "truncation",
        {"truncation": {"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0}},
    ),
    (
        "padding",
        {
            "padding": {
                "strategy": {"Fixed": 9},
                "direction": "Left",
                "pad_to_multiple_of": None,
                "pad_id": 0,
                "pad_type_id": 0,
                "pad_token": "a",
            }
        },
    ),
]


@pytest.mark.parametrize(("field", "parts"), CASES, ids=[f"{f}-{i}" for i, (f, _) in enumerate(CASES)])
def test_a_loss_has_a_text_whose_ids_change(field: str, parts: Dict[str, Any]) -> None:
    (loss,) = formats.losses(described(**parts), "mtok")
    assert loss.field.startswith(field)
    assert loss.text is not None
    assert loss.before != loss.after


def added(**flags: bool) -> Dict[str, Any]:
    return {"id": 12, "content": "ab", **dict.fromkeys(FLAGS, False), **flags}


@pytest.mark.parametrize(
    ("flag", "parts", "text"),
    [
        ("single_word", {}, "aab"),
        ("normalized", {"normalizer": {"type": "Lowercase"}, "vocab": {"a": 0, "b": 1, "x": 2}}, "AB"),
    ],
)
def test_flags_of_added_tokens(flag: str, parts: Dict[str, Any], text: str) -> None:
    parts.setdefault("vocab", {letter: index for letter, index in LETTERS.items() if letter != "ab"})
    (loss,) = formats.losses(described(added_tokens=[added(**{flag: True})], merges=[], **parts), "mtok")
    assert loss.field == f"added_tokens[0].{flag}"
    assert loss.text is not None
    assert sorted(loss.text.lower()) == sorted(text.lower()) or loss.before != loss.after


def test_wordlevel_has_nothing_near() -> None:
    description = formats.parse(
        json.dumps(
            {
                "version": "1.0",
                "model": {"type": "WordLevel", "vocab": {"a": 0, "Hello world": 1}, "unk_token": "a"},
            }
        ).encode()
    )
    first, *_ = formats.losses(description, "mtok")
    assert (first.field, first.text is not None, first.after) == ("model", True, None)
    with pytest.raises(FormatError, match="cannot hold WordLevel"):
        formats.project(description, "mtok")


def test_a_model_of_another_device_format_has_nothing_near() -> None:
    plain = formats.parse(bytes.fromhex("02000000 00000000 0100 61 01000000 0100 62"), format="vocab.bin")
    found = [(loss.field, loss.text is not None) for loss in formats.losses(plain, "mtok")]
    assert ("model", True) in found


def test_of_equal_merges_the_last_one_is_kept() -> None:
    description = described(
        merges=[["a", "b"], ["e", "\u0301"], ["a", "b"]], vocab={**LETTERS, "e\u0301": 12}
    )
    held = formats.project(description, "mtok")
    assert len(held.model.merges) == 2  # type: ignore[attr-defined]
    assert Tokenizer(held).encode("ab").ids == Tokenizer(description).encode("ab").ids


def template(single: List[Any]) -> Dict[str, Any]:
    tokens = {"a": {"id": "a", "ids": [0], "tokens": ["a"]}, "c": {"id": "c", "ids": [2], "tokens": ["c"]}}
    pieces = [
        {"Sequence": {"id": "A", "type_id": 0}}
        if one is None
        else {"SpecialToken": {"id": one, "type_id": 0}}
        for one in single
    ]
    return {
        "type": "TemplateProcessing",
        "single": pieces,
        "pair": [*pieces, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": tokens,
    }


def test_a_template_becomes_a_program_and_a_prefix() -> None:
    description = described(post_processor=template(["a", None, "c"]))
    held = formats.project(description, "mtok")
    assert held.device is not None
    assert held.device.prefix_ids == (0,)
    assert held.device.program == Program((0, None, 2))
    assert Tokenizer(held).encode("e").ids == [0, 6, 2] == Tokenizer(description).encode("e").ids
    assert Tokenizer(held).encode("e", add_special_tokens=False).ids == [6]
    assert Tokenizer(held).encode("e", "b").ids == [0, 6, 1, 2]


def test_three_specials_and_the_text_can_be_read_twice() -> None:
    """Sixteen bytes: four operations, or four ids of the older form. The newer form is read, and said so."""
    description = described(post_processor=template(["a", "c", None, "a"]))
    content = formats.serialize(description, "mtok")
    found = formats.parse(content, format="mtok")
    assert found.device is not None
    assert found.device.program == Program((0, 2, None, 0))
    assert [warning.field for warning in found.warnings] == ["program"]
    with pytest.raises(FormatError, match="older form"):
        formats.parse(content, format="mtok", strict=True)


def test_the_older_form_names_ids_behind_the_text() -> None:
    held = formats.project(described(), "mtok")
    assert held.device is not None
    device = replace(held.device, program=Program((None, 2, 11), legacy=True))
    content = written(project(replace(held, device=device)))
    found = formats.parse(content, format="mtok")
    assert found.device == device
    assert Tokenizer(found).encode("e").ids == [6, 2, 11]
    assert written(found) == content


def test_a_prefix_counts_where_there_is_no_program() -> None:
    held = formats.project(described(), "mtok")
    device = Device((), (), (11, 2))
    found = formats.parse(written(project(replace(held, device=device))), format="mtok")
    assert found.device == replace(device, program=None)
    assert Tokenizer(found).encode("e").ids == [11, 2, 6]


def test_a_tail_has_no_gaps() -> None:
    held = formats.project(described(), "mtok")
    with pytest.raises(FormatError, match="not one before it"):
        written(replace(held, device=Device(eos_token="x")))


def test_tables_of_known_unicode_versions() -> None:
    sizes = {
        version: len(single_points("NFKC", version)) for version in ("12.1", "13", "14.0", "15.0", "15.1")
    }
    assert sizes == {"12.1": 4796, "13": 4807, "14.0": 4866, "15.0": 4928, "15.1": 4928}
    assert [len(single_points("NFD", version)) for version in ("12.1", "13.0")] == [13232, 13233]
    assert len(single_points("NFC", "15.1")) == 1120
    assert known_version("14.0.0") == "14.0"
    with pytest.raises(FormatError, match=r"known: 12\.1"):
        formats.project(described(normalizer={"type": "NFC"}), "mtok", table_version="9.0")


def test_tables_and_marks() -> None:
    table = CodePointTable(((0x41, ""), (0xE9, "e\u0301")))
    assert table.normalize("AéB") == "e\u0301B"
    bert = TabledBert(True, True, True, True, table)
    assert bert.normalize("Aé 世") == "e  世 "
    assert TabledBert(False, False, True, False).normalize("é") == "e"
    assert UntabledNFKC().normalize("e\u0301\ufb01") == "éfi"


@pytest.mark.parametrize(
    ("source", "target"),
    [("NFC", "NFC"), ("NFKC", "NFKC"), ("NFKD", "NFKC")],
)
def test_back_in_tokenizer_json_a_table_is_a_form_again(source: str, target: str) -> None:
    held = formats.project(described(normalizer={"type": source}), "mtok")
    (loss,) = formats.losses(held, "tokenizer.json")
    assert loss.text is not None
    back = formats.project(held, "tokenizer.json")
    assert back.normalizer is not None
    assert target == back.normalizer.TYPE
    with pytest.raises(FormatError, match=r"cannot hold CodePointTable \(clause mtok"):
        formats.serialize(held)
    assert formats.parse(formats.serialize(back)) == back


@pytest.mark.parametrize("name", ["qwen", "llama3", "gemma", "llama2-like", "bert-uncased", "t5"])
def test_there_and_back_encodes_alike(name: str) -> None:
    held = formats.project(formats.read(OWN[name]), "mtok")
    back = formats.project(held, "tokenizer.json")
    if any(loss.text for loss in formats.losses(held, "tokenizer.json")):
        return
    there, again = Tokenizer(held), Tokenizer(formats.parse(formats.serialize(back)))
    assert [text for text in PROBES if answers(there, text) != answers(again, text)] == []


def test_bytes_that_the_model_spells_are_spelled_by_a_pre_tokenizer() -> None:
    splitter = {
        "type": "Sequence",
        "pretokenizers": [{"type": "Digits", "individual_digits": True}],
    }
    decoder = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    description = described(pre_tokenizer=splitter, decoder=decoder, vocab={**LETTERS, "Ã": 12, "©": 13})
    held = formats.project(description, "mtok")
    assert Tokenizer(held).encode("é").ids == [12, 13]
    back = formats.project(held, "tokenizer.json")
    assert Tokenizer(back).encode("é").ids == [12, 13]
    assert [loss.field for loss in formats.losses(description, "mtok")] == ["model"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.mtok"
    formats.write(described(), path)
    assert path.read_bytes() == formats.serialize(described(), ".mtok")
    assert Tokenizer.from_file(path).encode("ab").ids == [8]
    assert [one.name for one in tmp_path.iterdir()] == ["x.mtok"]
    with pytest.raises(FormatError):
        formats.write(described(normalizer={"type": "NFC"}), path, "mtok")
    assert Tokenizer.from_file(path).encode("ab").ids == [8]
