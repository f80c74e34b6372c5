"""The frozen tables are the measured ones, and no interpreter's own database shines through."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tokassay.core.clusters import clusters
from tokassay.core.unicode import tables
from tokassay.core.unicode.case import lower
from tokassay.core.unicode.normalization import changes, nfc, nfd, nfkc, nfkd
from tokassay.core.unicode.properties import find

# First 16 digits of sha256 over "lo-hi,lo-hi,..." in lower-case hexadecimal.
CHECKSUMS = {
    "onig.word.bare": "f05a72d64242d907",
    "onig.word.class": "a627fcb4c422d89f",
    "rust.word": "f32206c7fc294579",
    "rust.numeric": "fd6873b4499e9e89",
    "bert.punctuation": "46ad950698a2aa22",
    "bert.control.removed": "a492eb1dece157bb",
    "mn8": "dadb1fd6d17eee74",
    "m9": "bd8944887ec97378",
    "onig.L": "ffad0336ca31517a",
    "onig.N": "d8dc08e0112700c1",
    "onig.M": "44f4033e532bb08d",
    "onig.P": "b653ba3ab077f2b4",
    "onig.S": "d645ac3057e263c1",
    "onig.Lu": "498fa29439e7ba4c",
    "onig.Ll": "23190f6bb4e1094f",
    "onig.Lo": "ec31fc2b91d27606",
    "onig.Lm": "70d0f68aa95fbb01",
    "onig.Alphabetic": "de56fc5daf39e31f",
    "onig.Han": "155b304f829354fe",
}
STORED = Path(__file__).with_name("normalized.jsonl").read_text("ascii").splitlines()
FORMS = {"NFC": nfc, "NFD": nfd, "NFKC": nfkc, "NFKD": nfkd, "Lowercase": lower}


@pytest.mark.parametrize("name", sorted(CHECKSUMS))
def test_set_is_the_measured_one(name: str) -> None:
    text = ",".join(f"{low:x}-{high:x}" for low, high in tables.ranges(name))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == CHECKSUMS[name]


@pytest.mark.parametrize(("column", "form"), list(enumerate(FORMS, 1)))
def test_normalization_is_the_oracles(column: int, form: str) -> None:
    rows = [json.loads(line) for line in STORED]
    assert len(rows) == 1000
    assert [row[0] for row in rows if FORMS[form](row[0]) != row[column]] == []


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_changes_spell_the_normalized_text_and_use_up_the_original(form: str) -> None:
    for line in STORED:
        text = json.loads(line)[0]
        found = changes(form, text)
        assert "".join(char for char, _ in found) == FORMS[form](text)
        assert sum(1 - change if change <= 0 else 0 for _, change in found) == len(text)


def test_changes_of_a_composition() -> None:
    assert changes("NFC", "e\u0301x") == [("é", -1), ("x", 0)]
    assert changes("NFD", "éx") == [("e", 0), ("\u0301", 1), ("x", 0)]


def test_capital_sigma_is_never_final() -> None:
    assert lower("ΟΔΟΣ") == "οδοσ"


def test_superscript_two_is_a_word_character_outside_classes_only() -> None:
    assert tables.contains("onig.word.bare")("²")
    assert not tables.contains("onig.word.class")("²")


@pytest.mark.parametrize("name", ["gc=L", "Script=Han", "IsHan", "L&", "Basic_Latin", "", "^L"])
def test_names_that_oniguruma_does_not_know(name: str) -> None:
    assert find(name) is None


@pytest.mark.parametrize("name", ["Letter", "uppercase letter", "HANI", "Ext-Pict", "In_Basic_Latin", "Zyyy"])
def test_names_compare_without_case_blanks_and_hyphens(name: str) -> None:
    assert find(name)


@pytest.mark.parametrize("form", ["NFD", "NFC"])
def test_marks_of_the_lowest_class_come_before_those_of_others(form: str) -> None:
    assert FORMS[form]("q\u0301\u0334x\u0334") == "q\u0334\u0301x\u0334"


@pytest.mark.parametrize(
    ("text", "count"), [("\u1100\u1160\ud7cb", 1), ("\u1100\U00016d6a", 1), ("\u1100\U00016d6b", 2)]
)
def test_the_ends_of_the_ranges_of_syllable_parts(text: str, count: int) -> None:
    assert len(clusters(text)) == count


def test_the_characters_of_a_set_are_those_of_its_ranges() -> None:
    for name in ("white_space", "bert.space"):
        points = {point for low, high in tables.ranges(name) for point in range(low, high + 1)}
        assert set(map(ord, tables.characters(name))) == points
