"""The figures of the source document, from the real Qwen3 tokenizer (nightly: `tokassay zoo fetch qwen3`)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tokassay import FormatError, Tokenizer, formats, zoo
from tokassay.core.byte_records import Records
from tokassay.formats import vocab_bin
from tokassay.formats.audit import entries, find
from tokassay.formats.vocab_bin.coverage import uncovered

pytestmark = pytest.mark.nightly
SHA256 = "299e1c156bff1b85b5b4dc098c1d7f2e33e0b76fe1967d0d21df328985637a73"


@pytest.fixture(scope="module")
def compiled() -> vocab_bin.Compiled:
    located = zoo.locate(["qwen3"])
    assert "qwen3" in located.present, located.absent
    return vocab_bin.compile_entries(formats.read(located.present["qwen3"]))


def test_the_file_is_the_published_one(compiled: vocab_bin.Compiled):
    assert hashlib.sha256(compiled.data).hexdigest() == SHA256


def test_the_build_statistics_are_the_published_ones(compiled: vocab_bin.Compiled):
    assert compiled.statistics() == {
        "total entries": 151_669,
        "converted": 57_286,
        "kept": 94_357,
        "special copied": 26,
        "max_len": 256,
        "bytes": 1_950_864,
    }


def test_special_tokens_from_the_old_file_give_the_same_file(compiled: vocab_bin.Compiled):
    description = formats.read(zoo.locate(["qwen3"]).present["qwen3"])
    assert vocab_bin.compile_entries(description, Records(compiled.data)).data == compiled.data


@pytest.mark.parametrize(
    ("text", "hits", "first"),
    [
        ("\u56de\u7b54", 2, [102104, 111423]),
        ("\u4f60\u597d", 1, [108386]),
        ("\u0120good", 6, [1661, 11561, 38426]),
        ("\u010a", 2179, [198, 271, 280]),
    ],
)
def test_the_hits_are_the_published_ones(
    compiled: vocab_bin.Compiled, text: str, hits: int, first: list[int]
):
    found = find(entries(formats.parse(compiled.data)), text)
    assert (len(found), [entry.id for entry in found][:3]) == (hits, first)


def test_no_common_character_is_missing(compiled: vocab_bin.Compiled):
    assert uncovered(compiled.strings) == []


@pytest.mark.parametrize(("index", "stored"), [(220, "c4a0"), (198, "c48a"), (255, "ad"), (221, "7f")])
def test_the_byte_table_is_the_published_one(compiled: vocab_bin.Compiled, index: int, stored: str):
    assert compiled.strings[index].hex() == stored


def test_the_only_equal_entries_are_markers(compiled: vocab_bin.Compiled):
    assert formats.parse(compiled.data, strict=True).warnings == ()
    assert len(compiled.strings) - len(set(compiled.strings)) == 33


def test_a_count_of_200000_is_stopped(compiled: vocab_bin.Compiled):
    with pytest.raises(FormatError, match="151669 of 200000") as caught:
        formats.parse((200_000).to_bytes(4, "little") + compiled.data[4:])
    assert caught.value.field == "entries[151669]"


def test_a_kilobyte_of_text_has_the_ids_of_the_scan(compiled: vocab_bin.Compiled, tmp_path: Path):
    path = tmp_path / "vocab.bin"
    path.write_bytes(compiled.data)
    text = "The quick brown fox.\n\u4f60\u597d\uff0c\u4e16\u754c\u3002 def f(x): return x\n" * 4
    model = Tokenizer.from_file(path).description.model.build()
    assert model.ids(text) == [token.id for token in model.tokenize_by_scan(text)]  # type: ignore[attr-defined]
