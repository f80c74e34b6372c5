"""Every pre-tokenizer equals the oracle's: pieces and offsets on both paths."""

from __future__ import annotations

import pytest

from tokassay.core.splitting import BEHAVIOURS
from tokassay.fuzzing.fronts import Front, Oracle, difference, sweep
from tokassay.fuzzing.odd_texts import odd_texts

SEED = 20261130
WORDS = ("ab", " a", "  ", "12", "--", "▁▁")
STRINGS = (" ", "ab", "-", "")
PATTERNS = (r"\s+", "a*", r"\d|(?=b)", r"(?i)ab|\b", "^|$", "[^a]", r"\p{P}", r"'s|\w+|\s+(?!\S)|\s+")


def named(kind: str, **fields: object) -> dict[str, object]:
    return {"type": kind, **fields}


def sequence(*parts: dict[str, object]) -> dict[str, object]:
    return named("Sequence", pretokenizers=list(parts))


def split(kind: str, pattern: str, behavior: str, *, invert: bool) -> dict[str, object]:
    return named("Split", pattern={kind: pattern}, behavior=behavior, invert=invert)


def metaspace(scheme: str, *, cut: bool, mark: str = "▁") -> dict[str, object]:
    return named("Metaspace", replacement=mark, prepend_scheme=scheme, split=cut)


def byte_level(*, prefix: bool, pattern: bool) -> dict[str, object]:
    return named("ByteLevel", add_prefix_space=prefix, trim_offsets=True, use_regex=pattern)


SIMPLE = {
    **{kind: named(kind) for kind in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts")},
    **{f"at {char!r}": named("CharDelimiterSplit", delimiter=char) for char in "a é"},
    **{f"by {length}": named("FixedLength", length=length) for length in (1, 3, 5)},
    **{f"digits {alone}": named("Digits", individual_digits=alone) for alone in (True, False)},
    **{f"punctuation {behavior}": named("Punctuation", behavior=behavior) for behavior in BEHAVIOURS},
}
MARKED = {
    f"metaspace {mark} {scheme} {cut}": metaspace(scheme, cut=cut, mark=mark)
    for mark in "▁_^"
    for scheme in ("first", "never", "always")
    for cut in (True, False)
}
BYTES = {
    f"bytes {prefix} {pattern}": byte_level(prefix=prefix, pattern=pattern)
    for prefix in (True, False)
    for pattern in (True, False)
}
CHAINS = {
    "words then digits": sequence(
        SIMPLE["WhitespaceSplit"], SIMPLE["digits True"], SIMPLE["punctuation Isolated"]
    ),
    "split then bytes": sequence(
        split("Regex", r"\s+", "Isolated", invert=False), BYTES["bytes False False"]
    ),
    "first behind a cut": sequence(SIMPLE["WhitespaceSplit"], metaspace("first", cut=True)),
    "first in front": sequence(metaspace("first", cut=True), SIMPLE["digits True"]),
    "nested": sequence(sequence(SIMPLE["by 3"]), sequence(SIMPLE["digits False"], BYTES["bytes True True"])),
    "none": sequence(),
}
SPLITS = {
    f"{kind} {pattern!r} {behavior} {invert}": split(kind, pattern, behavior, invert=invert)
    for kind, patterns in (("String", STRINGS), ("Regex", PATTERNS))
    for pattern in patterns
    for behavior in BEHAVIOURS
    for invert in (True, False)
}
ALL = {**SIMPLE, **MARKED, **BYTES, **CHAINS, **SPLITS}


def compare(name: str, count: int, seed: int, normalizer: dict[str, object] | None = None) -> None:
    oracle, front = Oracle.of(normalizer, ALL[name]), Front.of(normalizer, ALL[name])
    found = [difference(oracle, front, text) for text in odd_texts(seed, count, WORDS)]
    assert not any(found), "\n".join(filter(None, found))


@pytest.mark.parametrize("name", ALL)
def test_pieces_equal_the_oracle(name: str) -> None:
    compare(name, 30, SEED)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ALL)
def test_pieces_equal_the_oracle_on_many_texts(name: str) -> None:
    compare(name, 10_000, SEED + 1)


@pytest.mark.parametrize("normalizer", ["NFD", "Lowercase", "Nmt"])
@pytest.mark.parametrize("name", [*MARKED, *CHAINS])
def test_pieces_equal_the_oracle_behind_a_normalizer(name: str, normalizer: str) -> None:
    compare(name, 20, SEED + 2, named(normalizer))


@pytest.mark.parametrize("name", [*MARKED, *CHAINS])
def test_a_stripped_start_is_no_start(name: str) -> None:
    compare(name, 20, SEED + 3, named("Strip", strip_left=True, strip_right=False))


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*SIMPLE, *BYTES])
def test_every_scalar_value(name: str) -> None:
    found = sweep(Oracle.of(None, ALL[name]), Front.of(None, ALL[name]))
    assert not found, found
