"""BPE by small facts: merge order, symbols, unknowns, offsets (clauses ``model.bpe.*``)."""

from __future__ import annotations

import pytest

from tokassay.core.errors import EncodeError, UnsupportedError
from tokassay.core.models.bpe import BPE


def bpe(tokens, merges=(), **options):
    vocab = tokens if isinstance(tokens, dict) else {token: index for index, token in enumerate(tokens)}
    return BPE(vocab, tuple(tuple(merge.split(" ")) for merge in merges), **options)


def values(model, piece):
    return [token.value for token in model.build().tokenize(piece)]


def spans(model, piece):
    return [(token.value, token.start, token.end) for token in model.build().tokenize(piece)]


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]

ORDER = [
    ("the least rank first", ["a", "b", "c", "ab", "bc"], ["b c", "a b"], "abc", ["a", "bc"]),
    ("of equal ranks the leftmost", ["a", "aa"], ["a a"], "aaa", ["aa", "a"]),
    ("one at a time, not all of a rank", ["a", "b", "ab", "aba"], ["ab a", "a b"], "abab", ["aba", "b"]),
    ("of equal merges the last", ["a", "b", "c", "ab", "bc"], ["a b", "b c", "a b"], "abc", ["a", "bc"]),
    ("no merge, no change", ["a", "b"], [], "abba", ["a", "b", "b", "a"]),
]


@pytest.mark.parametrize(("fact", "tokens", "merges", "piece", "expected"), ORDER)
def test_merge_order(fact, tokens, merges, piece, expected):
    assert values(bpe(tokens, merges), piece) == expected, fact


UNKNOWN = [
    ("dropped without unk_token", ["a"], {}, "aéa", [("a", 0, 1), ("a", 1, 2)]),
    ("one each", ["a", "?"], {"unk_token": "?"}, "éé", [("?", 0, 1), ("?", 1, 2)]),
    (
        "fused",
        ["a", "?"],
        {"unk_token": "?", "fuse_unk": True},
        "aééa",
        [("a", 0, 1), ("?", 1, 3), ("a", 3, 4)],
    ),
    (
        "bytes",
        ["a", *BYTES],
        {"byte_fallback": True},
        "aé",
        [("a", 0, 1), ("<0xC3>", 1, 2), ("<0xA9>", 1, 2)],
    ),
    (
        "an unknown waits behind the bytes of the next character",
        ["?", "a", *(token for token in BYTES if token != "<0xC3>")],
        {"unk_token": "?", "byte_fallback": True},
        "é中a",
        [("<0xE4>", 0, 1), ("<0xB8>", 0, 1), ("<0xAD>", 1, 2), ("?", 1, 2), ("a", 2, 3)],
    ),
]


@pytest.mark.parametrize(("fact", "tokens", "options", "piece", "expected"), UNKNOWN)
def test_unknown_characters(fact, tokens, options, piece, expected):
    assert spans(bpe(tokens, **options), piece) == expected, fact


def test_unk_token_is_looked_up_when_needed():
    model = bpe(["a"], unk_token="?")
    assert values(model, "aa") == ["a", "a"]
    with pytest.raises(EncodeError):
        model.build().ids("é")


def test_continuing_prefix_and_end_suffix_mark_symbols():
    tokens = ["a", "##a", "##b</w>", "aa", "aab</w>"]
    model = bpe(tokens, ["a ##a", "aa ##b</w>"], continuing_subword_prefix="##", end_of_word_suffix="</w>")
    assert values(model, "aab") == ["aab</w>"]


def test_ignore_merges_takes_the_whole_piece_only():
    model = bpe(["a", "b", "c", "ab", "abc"], ["a b"], ignore_merges=True)
    assert values(model, "abc") == ["abc"]
    assert values(model, "abcc") == ["ab", "c", "c"]


def test_a_token_covers_every_character_that_it_has_bytes_of():
    model = bpe(["ä", "¸", "\u0143", "ä¸"], ["ä ¸"])
    assert spans(model, "ä¸\u0143") == [("ä¸", 0, 2), ("\u0143", 2, 3)]


def test_dropout_is_refused_by_name():
    with pytest.raises(UnsupportedError, match="dropout"):
        bpe(["a"], dropout=0.1).build().ids("a")
    assert bpe(["a"], dropout=0.0).build().ids("a") == [0]


def test_one_id_of_two_tokens_is_the_last_tokens():
    model = bpe({"a": 0, "b": 0})
    assert model.id_to_token(0) == "b"
    assert model.build().ids("ab") == [0, 0]
