r"""Which tokenizers are encoded line by line, and that it changes nothing (clause ``fast.lines``)."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tokassay import Tokenizer
from tokassay.core.description import AddedToken
from tokassay.core.lines import BEFORE, BEHIND
from tokassay.core.matching import TextPattern
from tokassay.core.models.bpe import BPE
from tokassay.core.normalizers.lowercase import Lowercase
from tokassay.core.normalizers.nfkc import NFKC
from tokassay.core.normalizers.replace import Replace
from tokassay.core.normalizers.strip import Strip
from tokassay.core.pretokenizers.byte_level import ByteLevel
from tokassay.core.pretokenizers.metaspace import Metaspace
from tokassay.core.pretokenizers.sequence import Sequence
from tokassay.core.pretokenizers.split import Split

GOLDEN = Path(__file__).parents[3] / "golden" / "tokenizers"
PROVEN = [("qwen", BEHIND), ("llama3", BEHIND), ("o200k", BEHIND), ("gemma", BEHIND), ("gpt2", BEFORE)]
PROVEN += [("bert-uncased", BEHIND), ("whisper", BEFORE), ("word-level-lowercase", BEHIND)]
UNPROVEN = ["t5", "xlm-roberta", "llama2-like", "gpt2-prefix-space", "clip", "fixed-length", "added-tokens"]
PARTS = [
    "\n",
    "\r",
    "\r\n",
    " ",
    "  ",
    "\t",
    "\u2028",
    "\u3000",
    "/",
    "//",
    "a",
    "Bc",
    "'s",
    "9",
    "()",
    "中",
    "é",
    "\u0301",
]


def tokenizer_of(name):
    return Tokenizer.from_file(GOLDEN / name / "tokenizer.json")


def lines_of(description):
    return Tokenizer.from_description(description)._ids._lines


@pytest.mark.parametrize(("name", "kind"), PROVEN)
def test_lines_are_proven(name, kind):
    assert tokenizer_of(name)._ids._lines is kind


@pytest.mark.parametrize("name", UNPROVEN)
def test_without_proof_there_are_no_lines(name):
    assert tokenizer_of(name)._ids._lines is None


@pytest.mark.parametrize(("name", "kind"), PROVEN)
def test_ids_of_a_text_are_those_of_its_lines(name, kind):
    path, chance = tokenizer_of(name)._ids, random.Random(name)
    for _ in range(150):
        text = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 60)))
        lines = kind.findall(text)
        assert "".join(lines) == text
        assert [index for line in lines for index in path._text(line)] == list(path._text(text)), text


def test_a_line_ends_behind_its_line_ends_and_not_before_a_slash():
    assert BEHIND.findall("a\n\n b\n/c\n" * 4 + "d")[0] == "a\n\n b\n/c\n" * 2
    assert BEHIND.findall("a\n \nb") == ["a\n \n", "b"]


def test_a_line_begins_at_its_line_ends_where_no_space_stands_before_them():
    assert BEFORE.findall("a\n\nb \nc\nd") == ["a", "\n\nb \nc", "\nd", ""]


CUTTING = r"\p{L}+|\s*[\r\n]+|\s+"


def described(pattern=CUTTING, **changes):
    """The small Qwen with another pattern."""
    whole = Sequence(
        (Split(TextPattern("Regex", pattern), "Isolated", invert=False), ByteLevel(False, False, False))
    )
    return replace(tokenizer_of("qwen").description, pre_tokenizer=whole, added_tokens=(), **changes)


def added(content, **flags):
    return (AddedToken(0, content, **flags),)


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        (CUTTING, BEHIND),
        (r"\p{L}+|\s+(?!\S)|\s+", BEFORE),
        (r"\p{L}+|\s+|\s*[\r\n]+", None),  # a run goes on behind its last line end
        (r"\p{L}+|\s*[\r\n]+", None),  # what is in no match is cut in one
        (r"[\s\p{L}]+|\s*[\r\n]+|\s+", None),  # a form that is not known
        (r"a\|b|\s*[\r\n]+|\s+", None),
    ],
)
def test_a_pattern_is_judged_by_its_alternatives(pattern, kind):
    assert lines_of(described(pattern)) is kind


@pytest.mark.parametrize(
    ("normalizer", "kind"),
    [
        (None, BEHIND),
        (Lowercase(), BEHIND),
        (Strip(True, True), None),
        (NFKC(), None),
        (Replace(TextPattern("String", " "), "\u2581"), BEHIND),
        (Replace(TextPattern("String", " "), "\u2581\u2581"), None),
        (Replace(TextPattern("String", " "), "/"), None),
        (Replace(TextPattern("String", "\n"), "x"), None),
        (Replace(TextPattern("Regex", " "), "x"), None),
    ],
)
def test_a_normalizer_must_be_local(normalizer, kind):
    assert lines_of(described(normalizer=normalizer)) is kind


@pytest.mark.parametrize(
    ("tokens", "kind"),
    [
        (added("<x>"), BEHIND),
        (added("a\n"), BEHIND),
        (added("\na"), None),
        (added("<x>", lstrip=True), None),
        (added("<x>", rstrip=True), None),
    ],
)
def test_an_added_token_must_stay_on_its_side(tokens, kind):
    description = replace(described(), added_tokens=tokens)
    assert lines_of(description) is kind


def test_a_splitter_that_marks_the_first_word_sees_the_whole_text():
    assert lines_of(replace(described(), pre_tokenizer=Metaspace("▁", "first"))) is None


def test_words_that_nothing_cuts_are_no_lines():
    assert lines_of(replace(tokenizer_of("word-level-lowercase").description, pre_tokenizer=None)) is None


def test_bytes_that_nothing_cuts_are_lines_where_the_model_cuts():
    whole = replace(tokenizer_of("qwen").description, pre_tokenizer=ByteLevel(False, False, use_regex=False))
    model = whole.model.build()
    assert lines_of(whole) is (BEHIND if model.is_cut_behind("\r\n") else None)
    joined = BPE({"\u010a": 0, "a": 1, "\u010aa": 2}, (("\u010a", "a"),))
    assert lines_of(replace(whole, model=joined, added_tokens=())) is None
