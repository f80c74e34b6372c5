"""Pre-tokenizers by small facts; the two paths agree on each (clauses ``pretok.*``)."""

from __future__ import annotations

import pytest

from tokassay.core import pretokenizers
from tokassay.core.aligned import AlignedText
from tokassay.core.errors import EncodeError, FormatError


def split(pattern, behavior, *, invert=False, kind="String"):
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": invert}


def metaspace(scheme="always", cut=True):
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": cut}


def byte_level(prefix=False, pattern=True):
    return {"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": True, "use_regex": pattern}


def sequence(*parts):
    return {"type": "Sequence", "pretokenizers": list(parts)}


SPACES = {"type": "WhitespaceSplit"}
FACTS = [
    ("removed", split("-", "Removed"), "a--b", ["a", "b"]),
    ("isolated", split("-", "Isolated"), "a--b", ["a", "-", "-", "b"]),
    ("merged with previous", split("-", "MergedWithPrevious"), "-a--b", ["-", "a-", "-", "b"]),
    ("merged with next", split("-", "MergedWithNext"), "a--b-", ["a", "-", "-b", "-"]),
    ("contiguous", split("-", "Contiguous"), "--a--b", ["--", "a", "--", "b"]),
    ("only the matches", split("-", "Removed", invert=True), "a--b", ["-", "-"]),
    ("inverted, merged", split("-", "MergedWithNext", invert=True), "a-b--", ["a-", "b-", "-"]),
    ("an empty text cuts everywhere", split("", "Isolated"), "abc", ["a", "b", "c"]),
    ("matches without width cut, too", split("(?=b)", "Removed", kind="Regex"), "abab", ["a", "ba", "b"]),
    ("a text is no pattern", split(".", "Isolated"), "a.b", ["a", ".", "b"]),
    ("GPT-2's pattern", byte_level(), "I'll see  you", ["I", "'ll", "Ġsee", "Ġ", "Ġyou"]),
    ("a space goes in front", byte_level(prefix=True), "é", ["ĠÃ©"]),
    ("but not of a space", byte_level(prefix=True), " é", ["ĠÃ©"]),
    ("a line feed is no space", byte_level(prefix=True), "\nx", ["Ġ", "Ċ", "x"]),
    ("uncut", byte_level(pattern=False), "a b", ["aĠb"]),
    ("words start with the mark", metaspace(), "a  b", ["▁a", "▁", "▁b"]),
    ("a mark in the text is one", metaspace(), "▁a b", ["▁a", "▁b"]),
    ("no mark in front", metaspace("never"), "a b", ["a", "▁b"]),
    ("whole", metaspace(cut=False), "a b", ["▁a▁b"]),
    ("only the space", metaspace(), "a\tb\u3000c", ["▁a\tb\u3000c"]),
    ("words and the rest", {"type": "Whitespace"}, "a_1, ²b\u200dc…", ["a_1", ",", "²", "b\u200dc", "…"]),
    ("white space goes", SPACES, "a\u3000b\x1fc", ["a", "b\x1fc"]),
    ("punctuation stands alone", {"type": "BertPreTokenizer"}, "a, (b)$", ["a", ",", "(", "b", ")", "$"]),
    (
        "of Unicode 8.0",
        {"type": "Punctuation", "behavior": "Isolated"},
        "a\u2e5db\u166dc",
        ["a\u2e5db", "\u166d", "c"],
    ),
    ("numbers one by one", {"type": "Digits", "individual_digits": True}, "a12²", ["a", "1", "2", "²"]),
    ("numbers in runs", {"type": "Digits", "individual_digits": False}, "a12²b", ["a", "12²", "b"]),
    ("one character", {"type": "CharDelimiterSplit", "delimiter": "é"}, "aéébé", ["a", "b"]),
    ("kana are Han", {"type": "UnicodeScripts"}, "カー漢 aか", ["カー漢 ", "a", "か"]),
    ("a start without script is lost", {"type": "UnicodeScripts"}, "  a", ["a"]),
    ("and so is a text without", {"type": "UnicodeScripts"}, "  ", []),
    ("by length", {"type": "FixedLength", "length": 2}, "abcde", ["ab", "cd", "e"]),
    (
        "one after the other",
        sequence(SPACES, {"type": "FixedLength", "length": 2}),
        "abc d",
        ["ab", "c", "d"],
    ),
    ("none", sequence(), "a b", ["a b"]),
]


@pytest.mark.parametrize(("fact", "spec", "text", "expected"), FACTS)
def test_pieces(fact, spec, text, expected):
    splitter = pretokenizers.read(spec, "pre_tokenizer")
    assert splitter.split(text, first=True) == expected, fact
    assert [piece.text for piece in splitter.split_aligned(AlignedText.of(text))] == expected, fact


@pytest.mark.parametrize(("fact", "spec", "text", "expected"), FACTS)
def test_written_as_read(fact, spec, text, expected):  # noqa: ARG001 - one table for both
    assert pretokenizers.read(spec, "p").to_fields() == spec, fact


RANGES = [
    ("a mark in front stands for the first character", metaspace(), "a b", [(0, 1), (1, 3)]),
    ("a space in front, too", byte_level(prefix=True), "é b", [(0, 1), (1, 3)]),
    ("what was removed is in no piece", SPACES, " a  b ", [(1, 2), (4, 5)]),
]


@pytest.mark.parametrize(("fact", "spec", "text", "spans"), RANGES)
def test_ranges(fact, spec, text, spans):
    pieces = pretokenizers.read(spec, "p").split_aligned(AlignedText.of(text))
    assert [piece.origin for piece in pieces] == spans, fact


@pytest.mark.parametrize("later", [metaspace("first"), sequence(SPACES, metaspace("first"))])
def test_first_is_asked_of_the_place_in_the_text(later):
    splitter = pretokenizers.read(later, "p")
    assert splitter.positional
    assert splitter.split("ab", first=True) == ["▁ab"]
    assert splitter.split("ab", first=False) == ["ab"]
    rest = AlignedText.of(" ab").stripped(1, 3).slice(0, 2)
    assert [piece.text for piece in splitter.split_aligned(rest)] == ["ab"]


def test_only_a_later_first_looks_back():
    assert pretokenizers.read(sequence(SPACES, metaspace("first")), "p").looks_back
    assert not pretokenizers.read(sequence(metaspace("first"), SPACES), "p").looks_back
    assert pretokenizers.read(sequence(sequence(SPACES, metaspace("first"))), "p").looks_back


DEFAULTS = [
    ({"type": "Punctuation"}, {"behavior": "Isolated"}),
    ({"type": "FixedLength"}, {"length": 5}),
    ({"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False}, {"use_regex": True}),
    ({"type": "Metaspace", "replacement": "_"}, {"prepend_scheme": "always", "split": True}),
    ({"type": "Metaspace", "replacement": "_", "split": None, "str_rep": "x"}, {"split": True}),
    ({"type": "Metaspace", "replacement": "_", "add_prefix_space": True}, {"prepend_scheme": "always"}),
]


@pytest.mark.parametrize(("spec", "expected"), DEFAULTS)
def test_defaults(spec, expected):
    written = pretokenizers.read(spec, "p").to_fields()
    assert {name: written[name] for name in expected} == expected


FAULTS = [
    ({"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated"}, "p.invert"),
    (split("a", "Alone"), "p.behavior"),
    (split("(", "Isolated", kind="Regex"), "p.pattern.Regex"),
    ({"type": "Metaspace", "replacement": "__"}, "p.replacement"),
    ({"type": "Metaspace", "replacement": "_", "add_prefix_space": False}, "p.add_prefix_space"),
    ({"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"}, "p.prepend_scheme"),
    ({"type": "ByteLevel", "add_prefix_space": True}, "p.trim_offsets"),
    ({"type": "Digits"}, "p.individual_digits"),
    ({"type": "CharDelimiterSplit", "delimiter": ""}, "p.delimiter"),
    ({"type": "FixedLength", "length": 2.0}, "p.length"),
    (sequence({"type": "Whitespace"}, {}), "p.pretokenizers[1].type"),
]


@pytest.mark.parametrize(("spec", "field"), FAULTS)
def test_a_fault_names_its_field(spec, field):
    with pytest.raises(FormatError) as caught:
        pretokenizers.read(spec, "p")
    assert caught.value.field == field


def test_a_fixed_length_of_nothing_fails_on_every_piece():
    splitter = pretokenizers.read({"type": "FixedLength", "length": 0}, "pre_tokenizer")
    assert splitter.split("") == splitter.split_aligned(AlignedText.of("")) == []
    with pytest.raises(EncodeError):
        splitter.split("a")
    with pytest.raises(EncodeError):
        splitter.split_aligned(AlignedText.of("a"))
