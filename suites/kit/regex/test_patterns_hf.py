"""Random patterns, and texts on the edges of published ones, against HF's Split(Regex)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Optional

import pytest
from tokenizers import Regex, pre_tokenizers

from tokassay.core.errors import PatternError
from tokassay.core.regex import Pattern, compile_pattern, compiling, memo
from tokassay.core.regex.nodes import children
from tokassay.fuzzing.patterns import edge_text, pattern, text

PUBLISHED = json.loads(Path(__file__).with_name("published.json").read_text("utf-8"))
# The oracle cannot compile these although its syntax allows them (its own error has no name).
UNNAMED = "undefined error code"


def oracle(source: str) -> tuple[Optional[pre_tokenizers.Split], str]:
    try:
        return pre_tokenizers.Split(Regex(source), "isolated"), ""
    except Exception as error:  # noqa: BLE001 - the binding has no narrower class
        return None, str(error)


def ours(source: str) -> tuple[Optional[Pattern], bool]:
    try:
        return compile_pattern(source), False
    except PatternError as error:
        return None, error.refused


def fault(rng: random.Random) -> Optional[str]:
    source = pattern(rng)
    (split, reason), (found, refused) = oracle(source), ours(source)
    if refused or UNNAMED in reason:
        return None
    if (split is None) != (found is None):
        return f"{source!r}: the oracle says {reason or 'valid'}"
    if split is None or found is None:
        return None
    for one in (text(rng) for _ in range(12)):
        theirs = [piece for piece, _ in split.pre_tokenize_str(one)]
        if found.pieces(one) != theirs:
            return f"{source!r} on {one!a}: {theirs!a}, got {found.pieces(one)!a}"
    return None


def faults(seed: int, count: int) -> list[str]:
    found = (fault(random.Random(seed * 1_000_003 + number)) for number in range(count))
    return [one for one in found if one is not None]


def test_random_patterns() -> None:
    assert faults(20261130, 1500) == []


def test_a_matcher_that_goes_no_way_twice_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "many_ways", lambda _: True)
    monkeypatch.setattr(memo, "many_ways", lambda node: bool(children(node)))
    compile_pattern.cache_clear()
    assert faults(20261201, 700) == []
    compile_pattern.cache_clear()


PLAIN_GROUPS = (
    r"(\A){0}a",
    r"(\A)*a",
    "((?=a))?a",
    "(^|b)*",
    "(a+?)?",
    "(a{2})?",
    "(?<!(a|bc))b",
    "(?i)(s)s",
)


@pytest.mark.parametrize("source", PLAIN_GROUPS)
def test_a_group_that_does_not_capture_is_as_one_written_so(source: str) -> None:
    (split, _), (found, _) = oracle(f"(?C){source}"), ours(f"(?C){source}")
    assert (split is None) == (found is None)
    for one in ("aab", "aa", "ß", "bcb") if split and found else ():
        assert found.pieces(one) == [piece for piece, _ in split.pre_tokenize_str(one)]


BEHIND = (
    r"(?<=(?<n>a)*b)\k<n>",
    r"(?<=(?:(?<n>a)c)?b)\k<n>a",
    r"(?<=(?<n>a)?)\k<n>",
    r"(?<=(a)?b)(?!\1)c",
    r"(?<=(?<n>a{2,}$)?)\k<n>b",
    r"(?<=(?<n>a)|bc)\k<n>",
    r"(?<=x(?<n>a)?)\k<n>",
    r"(?<=(?<n>a)+)\k<n>b",
)


@pytest.mark.parametrize("source", BEHIND)
def test_a_group_in_a_look_behind_is_set_where_the_oracle_sets_it(source: str) -> None:
    (split, _), (found, _) = oracle(source), ours(source)
    assert split is not None
    assert found is not None
    for one in ("abab", "acbaa", "aaa", "abc", "aabcbc", "xxaaab"):
        assert found.pieces(one) == [piece for piece, _ in split.pre_tokenize_str(one)]


BYTES = (
    r"\x{}",
    r"[\x{}]",
    r"[^\x{}]",
    r"\x{}a",
    r"[a-\x{}]",
    r"\xff\x{}",
    r"[\xff\x{}]",
    r"\xed\x{}\x80",
    r"[\xc3\x{}]",
)


@pytest.mark.parametrize("form", BYTES)
def test_a_byte_that_the_oracle_takes_is_never_called_invalid(form: str) -> None:
    for source in (form.format(f"{byte:02x}") for byte in range(0x80, 0x100)):
        (split, _), (found, refused) = oracle(source), ours(source)
        assert refused or (split is None) == (found is None), source


QUANTIFIERS = ["?", "*", "+", "??", "*?", "+?", "?+", "*+", "++", "{1,2}", "{2}", "{0,1}?", "{0,2}?"]


@pytest.mark.parametrize(
    "form", ["(?:a{})%s[bc]", "a(?:a{})%sa", "(?:a{})%s(?=b)|.", "(a{})%s[bc]", "(?:(?:a{})%s)+b"]
)
@pytest.mark.parametrize("inner", QUANTIFIERS)
def test_a_quantifier_on_a_quantifier_means_what_it_means_to_the_oracle(inner: str, form: str) -> None:
    for source in (form.replace("{}", inner) % outer for outer in QUANTIFIERS):
        (split, _), (found, refused) = oracle(source), ours(source)
        assert refused or (split is None) == (found is None), source
        for one in ("aab", "aaac", "ab", "ba", "aabaab") if split and found else ():
            assert found.pieces(one) == [piece for piece, _ in split.pre_tokenize_str(one)], (source, one)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1, 9))
def test_many_random_patterns(seed: int) -> None:
    assert faults(seed, 10_000) == []


def edge_faults(name: str, count: int) -> list[str]:
    rng = random.Random(f"{name} 20261130")
    found = compile_pattern(PUBLISHED[name])
    edges = found.edges()
    split = pre_tokenizers.Split(Regex(PUBLISHED[name]), "isolated")
    texts = (edge_text(rng, edges) for _ in range(count))
    return [
        ascii(one)
        for one in texts
        if found.pieces(one) != [piece for piece, _ in split.pre_tokenize_str(one)]
    ]


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_pattern_on_its_edges(name: str) -> None:
    assert edge_faults(name, 300) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_pattern_on_many_edges(name: str) -> None:
    assert edge_faults(name, 200_000) == []
