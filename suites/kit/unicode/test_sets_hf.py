"""Every set and mapping equals the oracle's answer for each scalar value (a sample of them by default)."""

from __future__ import annotations

from typing import Callable, Iterable

import pytest
from tokenizers import Regex, normalizers, pre_tokenizers

from tokassay.core.unicode import properties, tables
from tokassay.core.unicode.case import lower
from tokassay.core.unicode.data_properties import INDEX
from tokassay.core.unicode.data_scripts import NAMES
from tokassay.core.unicode.normalization import nfc, nfd, nfkc, nfkd
from tokassay.core.unicode.ranges import Ranges, holds

ALL = [*range(0xD800), *range(0xE000, 0x110000)]
SAMPLE = ALL[::211]
CATEGORIES = (
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn L M N P S Z C LC"
)
PROPERTIES = [entry.split("=")[0].split("/")[0] for entry in INDEX.split()]
SCRIPTS = [entry.split("/")[0] for entry in NAMES.split()]
NAMED = [*CATEGORIES.split(), "Any", "Assigned", *PROPERTIES, *SCRIPTS, "In_Greek_and_Coptic", "In_No_Block"]
BARE = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
DROPPED = {
    "bert.control.removed": (normalizers.BertNormalizer(**{**BARE, "clean_text": True}), ""),
    "bert.space": (normalizers.BertNormalizer(**{**BARE, "clean_text": True}), " "),
    "mn8": (normalizers.BertNormalizer(**{**BARE, "strip_accents": True}), ""),
    "m9": (normalizers.StripAccents(), ""),
    "nmt.removed": (normalizers.Nmt(), ""),
    "nmt.spaced": (normalizers.Nmt(), " "),
}
CUT = {
    "rust.numeric": pre_tokenizers.Digits(individual_digits=True),
    "bert.punctuation": pre_tokenizers.Punctuation("isolated"),
}
MAPPED = {"NFC": nfc, "NFD": nfd, "NFKC": nfkc, "NFKD": nfkd, "Lowercase": lower}


def near(ranges: Ranges) -> list[int]:
    """The sample, and the neighbours of every end of a range."""
    ends = {point + step for pair in ranges for point in pair for step in (-1, 0, 1)}
    return sorted({*SAMPLE, *(p for p in ends if 0 <= p < 0x110000 and not 0xD800 <= p < 0xE000)})


def differing(ranges: Ranges, points: Iterable[int], member: Callable[[list[int]], set[int]]) -> list[str]:
    listed = list(points)
    theirs = member(listed)
    return [f"{p:04x}" for p in listed if holds(ranges, p) != (p in theirs)]


def matched(pattern: str) -> Callable[[list[int]], set[int]]:
    split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return lambda points: {points[a] for _, (a, _) in split.pre_tokenize_str("".join(map(chr, points)))}


def cut_off(pre_tokenizer: object) -> Callable[[list[int]], set[int]]:
    def member(points: list[int]) -> set[int]:
        pieces = pre_tokenizer.pre_tokenize_str("".join(f"a{chr(p)}a" for p in points))
        alone = {start for _, (start, end) in pieces if end - start == 1}
        return {p for i, p in enumerate(points) if 3 * i + 1 in alone}

    return member


def becoming(normalizer: object, wanted: str) -> Callable[[list[int]], set[int]]:
    return lambda points: {p for p in points if normalizer.normalize_str(chr(p)) == wanted}


def sets() -> Iterable[tuple[str, Ranges, Callable[[list[int]], set[int]]]]:
    for name in NAMED:
        word = name == "Word"  # the stored set is the one inside classes, see clause unicode.word
        yield (
            name,
            tables.ranges("onig.word.bare") if word else properties.known(name),
            matched(rf"\p{{{name}}}"),
        )
    yield r"\w", tables.ranges("onig.word.bare"), matched(r"\w")
    yield r"[\w]", tables.ranges("onig.word.class"), matched(r"[\w]")
    yield r"\s", tables.ranges("white_space"), matched(r"\s")
    yield r"\h", tables.ranges("hex"), matched(r"\h")
    for name, pre_tokenizer in CUT.items():
        yield name, tables.ranges(name), cut_off(pre_tokenizer)
    for name, (normalizer, wanted) in DROPPED.items():
        yield name, tables.ranges(name), becoming(normalizer, wanted)
    chinese = normalizers.BertNormalizer(**{**BARE, "handle_chinese_chars": True})
    yield (
        "cjk",
        tables.ranges("cjk"),
        lambda ps: {p for p in ps if chinese.normalize_str(chr(p)) == f" {chr(p)} "},
    )


def test_sets_at_their_ends() -> None:
    faults = {name: differing(ranges, near(ranges), member)[:9] for name, ranges, member in sets()}
    assert not any(faults.values()), faults


@pytest.mark.nightly
def test_sets_everywhere() -> None:
    faults = {name: differing(ranges, ALL, member)[:9] for name, ranges, member in sets()}
    assert not any(faults.values()), faults


@pytest.mark.parametrize("name", MAPPED)
def test_mappings_of_single_characters(name: str) -> None:
    theirs = getattr(normalizers, name)()
    assert [p for p in SAMPLE if MAPPED[name](chr(p)) != theirs.normalize_str(chr(p))] == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", MAPPED)
def test_mappings_of_all_characters(name: str) -> None:
    theirs = getattr(normalizers, name)()
    assert [p for p in ALL if MAPPED[name](chr(p)) != theirs.normalize_str(chr(p))] == []


def test_rust_word() -> None:
    ranges = tables.ranges("rust.word")
    points = near(ranges)
    word = _joined_to_a_letter(points)
    assert [f"{p:04x}" for p in points if holds(ranges, p) != (p in word)] == []


def _joined_to_a_letter(points: list[int]) -> set[int]:
    split = pre_tokenizers.Whitespace().pre_tokenize_str
    return {p for p in points if len(split("a" + chr(p))) == 1 and split("a" + chr(p))[0][0] != "a"}


def test_script_classes() -> None:
    """A character is not cut from a letter of its class, and is from a letter of another one."""
    split = pre_tokenizers.UnicodeScripts().pre_tokenize_str
    for name, ranges in tables.scripts9().items():
        own, other = chr(ranges[0][0]), "a" if name != "Latin" else "Ω"
        ends = {chr(end) for pair in ranges for end in pair}
        assert {
            char for char in ends if len(split(own + char)) != 1 or len(split(other + char)) != 2
        } == set(), name
