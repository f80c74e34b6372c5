"""vocab.bin: the index is the scan, faults have places, order is nothing, and the compiler counts."""

from __future__ import annotations

import random
import struct
from functools import lru_cache
from pathlib import Path
from typing import List, Sequence

import pytest

from tokassay import FormatError, Tokenizer, data, formats
from tokassay.core.byte_records import Records, pack
from tokassay.core.models.byte_matching import ByteIndex, scanning
from tokassay.core.models.greedy_bytes import greedy
from tokassay.formats import vocab_bin

OWN = data.root() / "golden" / "tokenizers" / "qwen" / "tokenizer.json"
SMALL = [b"!", b"a", b"ab", b"\xc4\xa0b", b"\xe4\xbd\xa0", b""]


@lru_cache(maxsize=1)
def whole() -> bytes:
    """The own tokenizer, compiled."""
    return formats.serialize(formats.read(OWN), "vocab.bin")


def table(*strings: bytes) -> Tokenizer:
    return Tokenizer.from_description(vocab_bin.describe(Records.of(strings)))


def texts(seed: int, count: int, pieces: Sequence[str]) -> List[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices(pieces, k=rng.randrange(1, 30))) for _ in range(count)]


PIECES = ["a", "b", "ab", "c", " ", "  ", "\n", "\0", "\u0120", "\u4f60", "\u00e9", "!", "\U0001f600"]


def test_the_index_finds_what_the_scan_finds_in_random_tables():
    rng = random.Random(7)
    for _ in range(60):
        strings = [bytes(rng.choices(b"abc\xc4\xa0", k=rng.randrange(0, 5))) for _ in range(40)]
        index, scan = ByteIndex.of(strings), scanning(strings)
        for _ in range(40):
            text = bytes(rng.choices(b"abc\xc4\xa0", k=12))
            start, end = rng.randrange(12), rng.randrange(13)
            wanted = scan(text, start, end)
            assert index.find(text, start, end) == wanted
            assert index.find_by_start(text, start, end) == wanted


def test_a_text_has_the_ids_of_the_scan():
    compiled = whole()
    model = formats.parse(compiled, format="vocab.bin").model.build()
    for text in texts(3, 12, [*PIECES, " the", "def ", "return", ";\n"]):
        wanted = model.tokenize_by_scan(text)  # type: ignore[attr-defined]
        assert model.tokenize(text) == wanted
        assert model.ids(text) == [token.id for token in wanted]


def test_a_long_text_has_the_ids_that_the_short_way_gives():
    compiled = whole()
    model = formats.parse(compiled, format="vocab.bin").model.build()
    index = model.index  # type: ignore[attr-defined]
    text = "".join(texts(4, 200, [*PIECES[:6], " the", "def ", "return"]))
    wanted = greedy(index.find, index.ids.get, text.encode())
    assert len(text) > 1024
    assert model.ids(text) == [placed.id for placed in wanted]


def test_a_first_short_text_is_matched_against_a_part_of_the_table():
    compiled = whole()
    for file in (compiled, pack([b"", b"ab", b"ab", b"\xc4\x8a", b"\xc4\xa0b", b"b"])):
        for first, second in (("ab b", "ab"), ("a\n b", "x\u4f60"), ("\u4f60", "\u0120b")):
            model = formats.parse(file, format="vocab.bin").model.build()
            wanted = [[token.id for token in model.tokenize_by_scan(text)] for text in (first, second)]  # type: ignore[attr-defined]
            fresh = formats.parse(file, format="vocab.bin").model.build()
            assert [fresh.ids(first), fresh.ids(second)] == wanted


def test_a_first_text_is_matched_against_what_can_stand_in_it():
    rng = random.Random(11)
    for _ in range(150):
        strings = [bytes(rng.choices(b"ab \n\xc4\xa0\x8a\0", k=rng.randrange(0, 8))) for _ in range(60)]
        text = "".join(
            rng.choices(["a", "b", " ", "\n", "\u0120", "\u010a", "\0"], [4, 4, 3, 1, 2, 1, 0.1], k=20)
        )
        model = table(*strings).description.model.build()
        fresh = table(*strings).description.model.build()
        assert fresh.ids(text) == [token.id for token in model.tokenize_by_scan(text)], (strings, text)  # type: ignore[attr-defined]
        assert fresh.ids(text[::-1]) == [token.id for token in model.tokenize_by_scan(text[::-1])]  # type: ignore[attr-defined]


def test_ids_out_of_order_take_the_whole_table():
    model = formats.parse(pack([b"b", b"a", b"ab"], [1, 0, 0]), format="vocab.bin").model.build()
    assert model.ids("abb") == [0, 1]


def test_offsets_are_characters_and_a_marker_covers_its_space():
    encoding = table(b"!", b"a", b"\xc4\xa0b", b"\xe4\xbd\xa0").encode("a  b\u4f60")
    assert encoding.offsets == [(0, 1), (2, 4), (4, 5)]
    assert encoding.tokens == ["a", "\u0120b", "\u4f60"]


def test_order_is_nothing():
    compiled = whole()
    strings = Records(compiled).strings
    order = random.Random(1).sample(range(len(strings)), len(strings))
    shuffled = pack([strings[i] for i in order], order)
    assert shuffled != compiled
    assert formats.parse(shuffled) == formats.parse(compiled)
    assert formats.serialize(formats.parse(shuffled), "vocab.bin") == compiled


def test_what_was_written_is_read_back():
    compiled = whole()
    description = formats.parse(compiled)
    assert formats.project(formats.read(OWN), "vocab.bin") == description
    assert formats.serialize(description, "vocab.bin") == compiled


def test_tables_of_other_strings_or_sizes_are_not_equal():
    assert Records.of([b"a"]) != Records.of([b"b"])
    assert Records.of([b"a"]) != Records.of([b"a", b""])
    assert Records.of([b"a"]) != b"a"
    assert hash(Records.of([b"a"])) == hash(Records.of([b"b"]))


def test_a_raised_count_is_stopped_by_the_first_entry_that_is_not_there():
    compiled = whole()
    count = len(Records(compiled).strings)
    raised = struct.pack("<I", count + 500) + compiled[4:]
    with pytest.raises(FormatError) as caught:
        formats.parse(raised)
    assert (caught.value.field, caught.value.offset) == (f"entries[{count}]", len(compiled))


def test_a_count_without_room_is_stopped_before_anything_is_read():
    with pytest.raises(FormatError, match="room for 7") as caught:
        formats.parse(struct.pack("<I", 2**32 - 1) + pack(SMALL)[4:], format="vocab.bin")
    assert (caught.value.field, caught.value.offset) == ("count", 0)


def test_an_entry_cut_within_its_bytes_is_named_with_its_place():
    whole = pack([b"a", b"bcd"])
    with pytest.raises(FormatError) as caught:
        formats.parse(whole[:-1], format="vocab.bin")
    assert (caught.value.field, caught.value.offset) == ("entries[1]", 11)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (pack([b"a", b"b"], [0, 9]), "entries[1].id"),
        (pack([b"a", b"b"], [0, 0]), "entries[1].id"),
        (pack([b"a", b"a"]), "entries[1].bytes"),
        (pack([b"a", b""]), "entries[1].bytes"),
        (pack([b"a", b"b"]) + b"\0", "entries"),
    ],
)
def test_strictness_reads_the_content(bad: bytes, field: str):
    assert formats.parse(bad, format="vocab.bin").warnings == ()
    with pytest.raises(FormatError) as caught:
        formats.parse(bad, format="vocab.bin", strict=True)
    assert caught.value.field == field
    assert caught.value.offset is not None


def test_a_sound_table_is_strictly_loaded(tmp_path: Path):
    path = tmp_path / "vocab.bin"
    path.write_bytes(pack([b"a", b"\xc4\xa0", b"\xc4\xa0"]))
    assert Tokenizer.from_file(path, strict=True).encode("a").ids == [0]


def test_ids_and_tokens():
    tokenizer = table(*SMALL)
    assert tokenizer.token_to_id("\u4f60") == 4
    assert tokenizer.id_to_token(5) == ""
    assert tokenizer.id_to_token(6) is None
    assert tokenizer.vocab_size == 6
    assert tokenizer.description.model.vocab["ab"] == 2


def test_an_id_outside_decodes_to_the_placeholder_and_a_hole_to_nothing():
    assert table(*SMALL).decode([1, 5, 6, 2]) == "a[UNK]ab"


def test_bytes_are_kept_where_text_is_replaced():
    tokenizer = table(b"!", b"\xe4", b"\xbd\xa0", b"\xc4\xa0a")
    assert tokenizer.decode([1, 2, 3]) == "\u4f60 a"
    assert tokenizer.decode([1]) == "\ufffd"
    assert tokenizer.decode_bytes([1, 3]) == b"\xe4 a"


def test_a_stream_gives_whole_characters():
    stream = table(b"!", b"\xe4", b"\xbd\xa0", b"\xc4\xa0a").decode_stream()
    assert [stream.step(index) for index in (1, 2, 3, 1)] == [None, "\u4f60", " a", None]
    assert stream.flush() == "\ufffd"


def test_device_components_have_no_json_form():
    description = vocab_bin.describe(Records.of([b"a"]))
    with pytest.raises(FormatError, match="stored bytes"):
        formats.serialize(description, "tokenizer.json")
    for part in (description.model, description.decoder):
        with pytest.raises(FormatError, match="device formats only"):
            part.to_fields()  # type: ignore[union-attr]


def test_the_compiler_counts():
    compiled = whole()
    figures = vocab_bin.compile_entries(formats.read(OWN)).statistics()
    assert (
        figures["total entries"] == figures["converted"] + figures["kept"] + figures["special copied"] == 1175
    )
    assert (figures["special copied"], figures["bytes"]) == (7, len(compiled))


def test_special_tokens_may_come_from_an_existing_table():
    compiled = whole()
    again = vocab_bin.compile_entries(formats.read(OWN), Records(compiled))
    assert again.data == compiled
    other = list(Records(compiled).strings)
    other[-1] = b"<|other|>"
    assert (
        Records(vocab_bin.compile_entries(formats.read(OWN), Records.of(other)).data).strings[-1]
        == b"<|other|>"
    )


def test_a_token_too_long_for_its_length_is_refused():
    Records.of([b"a" * 65535])
    with pytest.raises(FormatError, match="65536 bytes"):
        Records.of([b"a" * 65536])


def test_nothing_to_write_is_refused():
    with pytest.raises(FormatError, match="no tokens"):
        vocab_bin.Compiled({}, {}, 0).data  # noqa: B018


def test_characters_that_no_entry_holds_are_named():
    from tokassay.formats.vocab_bin.coverage import uncovered

    assert uncovered([b"ab", "\u4f60".encode()], "ab\u4f60\u597dc") == ["\u597d", "c"]


def test_the_probe_takes_a_table_and_no_text():
    assert formats.probe(pack(SMALL)) == "vocab.bin"
    assert formats.probe(pack([b"a"])) == "vocab.bin"
    assert formats.probe(pack([b"a"] * ord("{"))) == "vocab.bin"
    for other in (
        b"",
        b"\0\0\0\0",
        b"hello world, this is a text",
        b"\x0a\x0e\x0a\x05<unk>\x15\0\0\0\0\x18\x02",
    ):
        assert not vocab_bin.probe(other)
