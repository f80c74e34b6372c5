"""Every normalizer equals the oracle's: its text on both paths, and the original range of every character."""

from __future__ import annotations

import random

import pytest

from tokassay.fuzzing.charsmaps import precompiled
from tokassay.fuzzing.fronts import Front, Oracle, difference, sweep
from tokassay.fuzzing.odd_texts import odd_texts

SEED = 20261130
EACH_CHARACTER = {"type": "FixedLength", "length": 1}
WORDS = ("ab", "a\u0301", "\r\n", "  ", "½", "éé")

BERT = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
RULES = dict(
    zip(
        ["a", "ab", "é", "\r", "b", "́", "①", "½", "\u3000", "ﬁ", "漢", "ñ", "̈", "©", "0", "ᅡ", "क"],
        ["X", "Y", "e", "_", "", "M", "1", "1/2", "_", "fi", "", "nnn", "", "(c)", "", "V", "K"],
    )
)


def named(kind: str, **fields: object) -> dict[str, object]:
    return {"type": kind, **fields}


def replace(kind: str, pattern: str, content: str) -> dict[str, object]:
    return named("Replace", pattern={kind: pattern}, content=content)


def strip(*, left: bool, right: bool) -> dict[str, object]:
    return named("Strip", strip_left=left, strip_right=right)


def sequence(*parts: dict[str, object]) -> dict[str, object]:
    return named("Sequence", normalizers=list(parts))


SINGLE = {
    **{
        kind: named(kind)
        for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel")
    },
    "strip": strip(left=True, right=True),
    "strip left": strip(left=True, right=False),
    "strip right": strip(left=False, right=True),
    "prepend": named("Prepend", prepend="▁"),
    "prepend several": named("Prepend", prepend="xyé"),
    "replace a space": replace("String", " ", "▁"),
    "replace by nothing": replace("String", "a", ""),
    "replace between": replace("String", "", "_"),
    "replace runs": replace("Regex", " {2,}", "▁▁"),
    "replace marks": replace("Regex", r"\p{M}+", "é"),
    "bert uncased": named("BertNormalizer", **BERT),
    "bert dirty": named("BertNormalizer", **{**BERT, "clean_text": False, "strip_accents": False}),
    "bert cased": named("BertNormalizer", **{**BERT, "strip_accents": True, "lowercase": False}),
    "bert no cjk": named("BertNormalizer", **{**BERT, "handle_chinese_chars": False}),
    "precompiled": precompiled(RULES),
}
CHAINS = {
    "strip then compose": sequence(strip(left=True, right=False), SINGLE["NFC"]),
    "decompose then strip accents": sequence(SINGLE["NFD"], SINGLE["StripAccents"]),
    "three": sequence(SINGLE["NFKD"], SINGLE["Lowercase"], SINGLE["replace runs"]),
    "llama": sequence(SINGLE["prepend"], SINGLE["replace a space"]),
    "t5": sequence(SINGLE["precompiled"], SINGLE["strip"], SINGLE["replace runs"]),
    "bytes last": sequence(SINGLE["NFKC"], SINGLE["ByteLevel"]),
    "removed then decomposed": sequence(SINGLE["replace by nothing"], SINGLE["NFD"], SINGLE["Lowercase"]),
    "out of reach, lower": sequence(replace("Regex", "^", "_"), SINGLE["Lowercase"]),
    "out of reach, accents": sequence(replace("Regex", "^", "_"), SINGLE["StripAccents"]),
    "inserted, bytes": sequence(SINGLE["replace between"], SINGLE["ByteLevel"]),
    "empty prefix": sequence(named("Prepend", prepend=""), SINGLE["Lowercase"]),
}
ALL = {**SINGLE, **CHAINS}


def compare(name: str, count: int, seed: int) -> None:
    oracle, front = Oracle.of(ALL[name], EACH_CHARACTER), Front.of(ALL[name], EACH_CHARACTER)
    found = [difference(oracle, front, text) for text in odd_texts(seed, count, WORDS)]
    assert not any(found), "\n".join(filter(None, found))


@pytest.mark.parametrize("name", ALL)
def test_text_and_ranges_equal_the_oracle(name: str) -> None:
    compare(name, 60, SEED)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ALL)
def test_text_and_ranges_equal_the_oracle_on_many_texts(name: str) -> None:
    compare(name, 20_000, SEED + 1)


@pytest.mark.parametrize("name", ALL)
def test_whole_texts_equal_the_oracle(name: str) -> None:
    oracle, front = Oracle.of(ALL[name], None), Front.of(ALL[name], None)
    found = [difference(oracle, front, text) for text in odd_texts(SEED, 60, WORDS)]
    assert not any(found), "\n".join(filter(None, found))


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_long_runs_of_marks_equal_the_oracle(form: str) -> None:
    """These go another way than other texts: the interpreter would sort them in quadratic time."""
    chance = random.Random(SEED)
    text = "".join(chance.choices("\u0301\u0316\u0327\u0345\u05b0\u302a\u093c\u0344\u1abd\u1ac9", k=3000))
    found = difference(
        Oracle.of(ALL[form], EACH_CHARACTER), Front.of(ALL[form], EACH_CHARACTER), f"xé{text}é"
    )
    assert not found


def test_clusters_are_the_oracles() -> None:
    """Rules for the first characters of clusters show where each cluster ends."""
    firsts = "aé©\u1100\u1161\uac00\u0915\u0600\u0301\u200d\U0001f1e9 "
    rules = precompiled({char: f"<{ord(char):x}>" for char in firsts})
    oracle, front = Oracle.of(rules, None), Front.of(rules, None)
    parts = [
        "\u0301",
        "\u200d",
        "\u200c",
        "\u094d",
        "\u0903",
        "\r",
        "\n",
        "\u11a8",
        "\uac01",
        "❤",
        "🏽",
        "क्",
        "\u0d4e",
    ]
    found = [difference(oracle, front, text) for text in odd_texts(SEED, 1500, (*firsts, *parts))]
    assert not any(found), "\n".join(filter(None, found))


@pytest.mark.nightly
@pytest.mark.parametrize("name", SINGLE)
def test_every_scalar_value(name: str) -> None:
    found = sweep(Oracle.of(ALL[name], EACH_CHARACTER), Front.of(ALL[name], EACH_CHARACTER))
    assert not found, found
