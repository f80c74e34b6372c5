"""Normalizers by small facts; the two paths agree on each (clauses ``norm.*``)."""

from __future__ import annotations

import pytest

from tokassay.core import normalizers
from tokassay.core.aligned import AlignedText
from tokassay.core.errors import EncodeError, FormatError

BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}
CASED = {**BERT, "lowercase": False}


def replace(kind: str, pattern: str, content: str):
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def strip(left: bool, right: bool):
    return {"type": "Strip", "strip_left": left, "strip_right": right}


FACTS = [
    ("accents compose", {"type": "NFC"}, "e\u0301", "é"),
    ("a character newer than 9.0 stays", {"type": "NFKC"}, "\u32ff", "\u32ff"),
    ("marks newer than 9.0 keep their order", {"type": "NFD"}, "a\u1ac9\u1abd", "a\u1ac9\u1abd"),
    ("syllables come apart", {"type": "NFD"}, "각", "\u1100\u1161\u11a8"),
    ("ligatures come apart", {"type": "NFKD"}, "ﬁ①", "fi1"),
    ("sigma is never final", {"type": "Lowercase"}, "ΑΣ", "ας".replace("ς", "σ")),
    ("dotted I becomes two", {"type": "Lowercase"}, "İ", "i\u0307"),
    ("information separators are not white space", strip(True, True), " \x1fa\u3000", "\x1fa"),
    ("only the left", strip(True, False), " a ", "a "),
    ("only the right", strip(False, True), " a ", " a"),
    ("a composed accent stays", {"type": "StripAccents"}, "ée\u0301", "ée"),
    ("spacing marks go, too", {"type": "StripAccents"}, "का", "क"),
    ("controls go, blanks become spaces", {"type": "Nmt"}, "a\x01\tb\u200b▁", "a b  "),
    ("next line is neither", {"type": "Nmt"}, "\x85\x8f", "\x85"),
    ("in front of text", {"type": "Prepend", "prepend": "▁"}, "a", "▁a"),
    ("not of nothing", {"type": "Prepend", "prepend": "▁"}, "", ""),
    ("content is literal", replace("Regex", "(a)", "$1\\1"), "ba", "b$1\\1"),
    ("a text is no pattern", replace("String", "a.", "_"), "ab a.", "ab _"),
    ("between all characters", replace("String", "", "_"), "ab", "_a_b_"),
    ("not in an empty text", replace("String", "", "_"), "", ""),
    ("bytes are spelled", {"type": "ByteLevel"}, "é \n", "Ã©ĠĊ"),
    ("the soft hyphen takes a spare character", {"type": "ByteLevel"}, "\xad", "ÂŃ"),
    ("cleaned, spaced, stripped, lowered", BERT, "\x00É\t漢", "e  漢 "),
    ("vertical tab is removed, not spaced", BERT, "a\x0bb", "ab"),
    ("a gap in the CJK ranges", BERT, "\U0002b820\U0002b920", "\U0002b820 \U0002b920 "),
    ("null follows lowercase", CASED, "É", "É"),
    ("accents can go without lowercase", {**CASED, "strip_accents": True}, "É", "E"),
    ("and stay with it", {**BERT, "strip_accents": False}, "É", "é"),
    (
        "one after the other",
        {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]},
        "é",
        "e",
    ),
    ("none at all", {"type": "Sequence", "normalizers": []}, "é", "é"),
]


@pytest.mark.parametrize(("fact", "spec", "text", "expected"), FACTS)
def test_text(fact, spec, text, expected):
    normalizer = normalizers.read(spec, "normalizer")
    assert normalizer.normalize(text) == expected, fact
    assert normalizer.align(AlignedText.of(text)).text == expected, fact


@pytest.mark.parametrize(("fact", "spec", "text", "expected"), FACTS)
def test_written_as_read(fact, spec, text, expected):  # noqa: ARG001 - one table for both
    written = normalizers.read(spec, "normalizer").to_fields()
    assert {**spec, "strip_accents": spec.get("strip_accents")} == {"strip_accents": None, **written}, fact


RANGES = [
    ("a mark that came out of a letter", {"type": "NFD"}, "xé", [(0, 1), (1, 2), (1, 2)]),
    ("a letter that took a mark", {"type": "NFC"}, "e\u0301x", [(0, 1), (2, 3)]),
    ("the dot of the lowered I", {"type": "Lowercase"}, "aİ", [(0, 1), (1, 2), (1, 2)]),
    ("spaces around an ideograph", BERT, "a漢", [(0, 1), (1, 2), (1, 2), (1, 2)]),
    ("what was stripped", strip(True, True), "  a ", [(2, 3)]),
    ("the bytes of one character", {"type": "ByteLevel"}, "é", [(0, 1), (0, 1)]),
    ("a prefix", {"type": "Prepend", "prepend": "▁"}, "ab", [(0, 1), (0, 1), (1, 2)]),
    ("a run that became one", replace("Regex", " +", "▁"), "a  b", [(0, 1), (2, 3), (3, 4)]),
]


@pytest.mark.parametrize(("fact", "spec", "text", "spans"), RANGES)
def test_ranges(fact, spec, text, spans):
    assert normalizers.read(spec, "n").align(AlignedText.of(text)).spans == spans, fact


def test_a_change_behind_an_inserted_start_fails_on_both_paths():
    chain = normalizers.read(
        {"type": "Sequence", "normalizers": [replace("Regex", "^", "_"), {"type": "Lowercase"}]}, "n"
    )
    for answer in (chain.normalize, lambda text: chain.align(AlignedText.of(text))):
        with pytest.raises(EncodeError):
            answer("abc")


FAULTS = [
    ({"type": "Strip", "strip_left": True}, "n.strip_right"),
    ({"type": "Strip", "strip_left": 1, "strip_right": True}, "n.strip_left"),
    ({"type": "Prepend", "prepend": None}, "n.prepend"),
    ({"type": "Replace", "pattern": "a", "content": ""}, "n.pattern"),
    (replace("Regex", "(", ""), "n.pattern.Regex"),
    (replace("Other", "a", ""), "n.pattern"),
    ({"type": "Replace", "pattern": {"String": 1}, "content": ""}, "n.pattern.String"),
    ({"type": "Nothing"}, "n.type"),
    ({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "X"}]}, "n.normalizers[1].type"),
    ({"type": "Precompiled", "precompiled_charsmap": ""}, "n.precompiled_charsmap"),
    ({"type": "Precompiled", "precompiled_charsmap": "BAAAAA=="}, "n.precompiled_charsmap"),
    ({"type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAAD/"}, "n.precompiled_charsmap"),
    ({"type": "Precompiled", "precompiled_charsmap": "AA AA"}, "n.precompiled_charsmap"),
]


@pytest.mark.parametrize(("spec", "field"), FAULTS)
def test_a_fault_names_its_field(spec, field):
    with pytest.raises(FormatError) as caught:
        normalizers.read(spec, "n")
    assert caught.value.field == field
