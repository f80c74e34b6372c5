"""Edges of the models that a change of one sign would move."""

from __future__ import annotations

import hashlib
import math

import pytest

from tokassay import Tokenizer, formats
from tokassay.core.added_tokens import AddedVocabulary
from tokassay.core.aligned import AlignedText
from tokassay.core.byte_alphabet import CHAR_OF_BYTE
from tokassay.core.byte_records import is_marker, pack
from tokassay.core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from tokassay.core.description import AddedToken, Description, Padding
from tokassay.core.errors import EncodeError
from tokassay.core.fields import Fields
from tokassay.core.matching import TextPattern
from tokassay.core.models import bpe_bytes
from tokassay.core.models.bpe import BPE
from tokassay.core.models.byte_strings import ByteStrings
from tokassay.core.models.byte_trie import ByteTrie
from tokassay.core.models.first_gap import FirstGapSegmenter
from tokassay.core.models.pieces import Kind, Piece, PieceTable
from tokassay.core.models.scored_pieces import ScoredPieces
from tokassay.core.models.scored_tokens import NORMAL, UNUSED, ScoredTokens
from tokassay.core.models.scored_unigram import ScoredUnigram, single
from tokassay.core.models.sorted_vocabulary import BLOCK, SortedVocabulary, _block
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.normalizers.ascii_lower import AsciiLower
from tokassay.core.normalizers.nmt import Nmt
from tokassay.core.normalizers.replace import Replace
from tokassay.core.padding import padded_length
from tokassay.core.pipeline import _span
from tokassay.core.pretokenizers.byte_level import ByteLevel
from tokassay.core.unicode.single_points import VERSIONS, single_points

CONTROL = 3


def values(model, text):
    return [token.value for token in model.build().tokenize(text)]


@pytest.mark.parametrize(("ignore", "tokens"), [(False, ["a", "b"]), (True, ["ab"])])
def test_a_whole_piece_is_its_token_only_where_merges_are_ignored(ignore, tokens):
    model = BPE({"a": 0, "b": 1, "ab": 2}, (), ignore_merges=ignore)
    assert values(model, "ab") == tokens
    assert Tokenizer.from_description(Description(model)).encode("ab").tokens == tokens


def test_an_entry_may_score_as_the_unknown_does():
    model = Unigram((("a", -1e20),))
    assert values(model, "aa") == ["a", "a"]


def test_an_empty_entry_is_in_no_text():
    assert values(Unigram((("?", 0.0), ("", 1.0), ("a", -1.0)), 0), "aaa") == ["a", "a", "a"]


def scored(*entries):
    tokens, scores, kinds = zip(*entries)
    return ScoredUnigram(ScoredTokens(tokens, scores, kinds))


def test_the_unknown_is_ten_below_the_worst_normal_token():
    assert scored(("a", -1.0, NORMAL), ("</s>", -50.0, CONTROL)).unknown_score == -11.0
    assert scored(("</s>", -50.0, CONTROL)).unknown_score == -10.0


def test_a_character_that_is_a_token_is_never_unknown():
    model = scored(("<unk>", 0.0, 2), ("a", -100.0, UNUSED), ("b", -1.0, NORMAL))
    assert values(model, "ab") == ["a", "b"]


def test_a_line_end_has_its_marker_and_other_characters_have_none():
    model = formats.parse(pack([b"a", b"\xc4\x8a"]), format="vocab.bin").model
    assert model.build().ids("\nb") == [1, 0]


def test_the_bytes_of_an_unknown_character_stand_for_the_whole_of_it():
    bytes_of = [Piece(f"<0x{byte:02X}>", 0.0, Kind.BYTE) for byte in range(256)]
    model = ScoredPieces(PieceTable((Piece("a", -1.0, Kind.NORMAL), *bytes_of)))
    assert [(token.start, token.end) for token in model.build().tokenize("a\u00e9")] == [
        (0, 1),
        (1, 2),
        (1, 2),
    ]


def test_only_pieces_of_a_kind_are_matched():
    table = PieceTable(
        (Piece("a", -1.0, Kind.NORMAL), Piece("b", -1.0, Kind.UNUSED), Piece("", 0.0, Kind.NORMAL))
    )
    assert table.matched(Kind.NORMAL) == {"a": 0}


def test_markers_are_the_thirty_three_characters_from_u0100():
    assert not is_marker(b"\xc4")
    assert [is_marker(chr(point).encode()) for point in (0xFF, 0x100, 0x120, 0x121, 0x140)] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_block_of_short_tokens_is_one_match():
    tokens = {f"{at:02}" + "x" * (at % 9): at for at in range(BLOCK)}
    stored = SortedVocabulary.of(tokens).stored
    found = _block()(stored, 0)
    assert found is not None
    assert found.end() == len(stored)


def test_a_token_of_three_hundred_bytes_is_found_as_are_those_behind_it():
    tokens = {"a": 0, "b" * 300: 1, "c": 2}
    assert dict(SortedVocabulary.of(tokens).whole) == tokens
    assert [SortedVocabulary.of(tokens).find(token) for token in tokens] == [0, 1, 2]


def test_without_an_unknown_token_the_rest_is_id_0():
    assert FirstGapSegmenter({"a": 1}).ids("ab") == [1, 0]


def test_the_largest_number_of_single_precision_is_kept():
    assert single(3.4028234663852886e38) == 3.4028234663852886e38
    assert (single(1e39), single(-1e39)) == (math.inf, -math.inf)


def test_an_empty_range_is_counted_from_the_start_of_its_piece():
    assert AlignedText("ab", [(3, 4), (4, 5)], (3, 5)).original_span(1, 1) == (4, 4)


def test_bytes_without_a_string_are_skipped_one_by_one():
    strings = ByteStrings((b"a", b"ab", b"b"))
    assert ByteTrie(strings).build().ids("abxb-a") == [1, 2, 0]


def test_behind_the_last_character_bytes_are_counted():
    assert (_span((1, 2), 3, 7), _span((3, 5), 3, 7)) == ((1, 2), (7, 9))


@pytest.mark.parametrize(
    ("source", "content", "anchored"), [("a", "b", True), ("ab", "b", False), ("a", "", False)]
)
def test_a_replacement_is_anchored_where_one_character_becomes_some(source, content, anchored):
    assert Replace(TextPattern("String", source), content).anchored is anchored


def test_ascii_letters_are_lowered_from_the_first_to_the_last():
    assert AsciiLower().normalize("@AMZ[\u00c9") == "@amz[\u00c9"


def test_control_characters_vanish_and_others_stay():
    assert Nmt().normalize("a\x7f\x80\x8f\x90\x9f") == "a\x80\x90"


def test_what_is_not_told_of_a_part_is_as_the_oracle_has_it():
    assert AddedToken(0, "a").normalized
    assert ByteLevel(add_prefix_space=False, trim_offsets=False).use_regex
    assert not ScoredUnigram(ScoredTokens(("a",), (0.0,), (1,))).byte_fallback


def spelled(data: bytes) -> str:
    return "".join(map(CHAR_OF_BYTE.__getitem__, data))


@pytest.mark.parametrize(
    ("data", "last"),
    [
        ("a\u00e9".encode(), "\u00e9".encode()),
        ("\u00e9a".encode(), b"a"),
        ("a\u20ac".encode(), "\u20ac".encode()),
        ("\u20ac\U0001f600".encode(), "\U0001f600".encode()),
        (b"\x80", b"\x80"),
        (b"\x80\x81\x82", b"\x80\x81\x82"),
        (b"\x80\x81\x82\x83", None),
        (b"a\x80", None),
        (b"\xc3", None),
        (b"\xe2\x82", None),
    ],
)
def test_what_stands_before_a_border_is_a_character_or_its_end(data, last):
    assert bpe_bytes._last(spelled(data)) == last


def test_four_characters_are_looked_at_before_a_border():
    assert bpe_bytes._last("\u4e2d" + spelled("\U0001f600".encode())) == "\U0001f600".encode()


@pytest.mark.parametrize(
    ("data", "first"),
    [
        ("\u00e9a".encode(), "\u00e9".encode()),
        ("\u20aca".encode(), "\u20ac".encode()),
        ("\U0001f600a".encode(), "\U0001f600".encode()),
        (b"\xe2\x82", b"\xe2\x82"),
        (b"\xc3a", None),
        (b"", None),
    ],
)
def test_what_stands_behind_a_border_is_a_character_or_its_beginning(data, first):
    assert bpe_bytes._first(spelled(data)) == first


def test_a_first_byte_says_how_many_there_are():
    leads = (0x41, 0xBF, 0xC0, 0xDF, 0xE0, 0xEF, 0xF0, 0xF4)
    assert [bpe_bytes._width(lead) for lead in leads] == [1, 1, 2, 2, 3, 3, 4, 4]


def test_an_added_token_has_the_id_of_its_entry():
    model = WordLevel({"a": 0, "b": 1}, "a")
    assert AddedVocabulary.build((AddedToken(7, "b"),), model, None).token_ids == {"b": 1}


def test_a_normalized_added_token_is_found_in_ascii():
    model = BPE({"a": 0, "<": 1, "x": 2, ">": 3}, ())
    tokenizer = Tokenizer.from_description(
        Description(model, pre_tokenizer=ByteLevel(False, False), added_tokens=(AddedToken(4, "<x>"),))
    )
    assert tokenizer.encode("a<x>a").ids == [0, 4, 0]
    assert tokenizer._ids._aligned_text("a<x>a") == [0, 4, 0]


def test_decoding_bytes_uses_the_expression_unless_told():
    fields = Fields({"add_prefix_space": True, "trim_offsets": True}, "decoder")
    assert ByteLevelDecoder.from_fields(fields).use_regex


def test_what_begins_a_character_of_several_bytes_is_c2_to_f4():
    assert spelled(bytes(range(0xC2, 0xF5))) == "".join(
        sorted(bpe_bytes.LEADS, key=spelled(bytes(range(256))).index)
    )


@pytest.mark.parametrize(("length", "fits"), [(2**28, True), (2**28 + 1, False)])
def test_padding_has_a_limit(length, fits):
    if fits:
        assert padded_length([1], Padding(fixed=length)) == length
    else:
        with pytest.raises(EncodeError, match="more than 268435456"):
            padded_length([1], Padding(fixed=length))


@pytest.mark.parametrize(
    ("form", "digest"),
    [("NFC", "8019f58d7f7167f3"), ("NFD", "83dfc4a044fb6c97"), ("NFKC", "c6e43133e8d476ad")],
)
def test_the_tables_of_single_code_points_are_those_of_their_versions(form, digest):
    tables = ascii([single_points(form, version) for version in VERSIONS])
    assert hashlib.sha256(tables.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize(("ignore", "merges"), [(False, [("a", "b", 0)]), (True, [])])
def test_no_merge_happens_in_a_whole_piece_where_merges_are_ignored(ignore, merges):
    model = BPE({"a": 0, "b": 1, "ab": 2}, (("a", "b"),), ignore_merges=ignore)
    assert model.build().merges_of("ab") == merges


def test_these_characters_become_blanks():
    blanks = {9, 10, 12, 13, 0x1680, *range(0x200B, 0x2010), 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD}
    changed = {point for point in range(33, 0x10000) if Nmt().normalize(chr(point)) == " "}
    assert changed | {9, 10, 12, 13} == blanks
    assert Nmt().normalize("\t\n\x0c\r") == "    "
