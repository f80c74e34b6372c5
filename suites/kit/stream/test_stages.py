"""Stages that take one growing text: whatever the cut, the pieces joined are the whole decoded."""

from __future__ import annotations

import itertools
from typing import Any, Callable

import pytest

from tokassay.core import decoders
from tokassay.core.decoders.byte_fallback import ByteFallback
from tokassay.core.decoders.replace import Replace
from tokassay.core.decoders.stages import Chain, Grain, Inserting, Replacing, Stage
from tokassay.core.errors import DecodeError
from tokassay.core.matching import TextPattern

TEXTS = ["".join(word) for size in range(5) for word in itertools.product("ab ", repeat=size)]


def pieces(text: str, cut: int):
    """`text` cut in two, or into its characters for cut -1."""
    return (list(text) or [""]) if cut < 0 else [text[:cut], text[cut:]]


def run(stage: Stage, parts: list[str]):
    given = [stage.push(part) for part in parts]
    return "".join(itertools.chain(*given, stage.finish()))


@pytest.mark.parametrize(("old", "new"), [("a", "b"), ("ab", ""), ("aa", "a"), ("aba", "x"), (" a ", "b")])
def test_replacing_equals_replace_for_every_cut(old: str, new: str):
    for text in TEXTS:
        for cut in range(-1, len(text)):
            assert run(Replacing(old, new), pieces(text, cut)) == text.replace(old, new)


@pytest.mark.parametrize("new", ["", "-", "ab"])
def test_inserting_equals_replacing_nothing_for_every_cut(new: str):
    for text in TEXTS:
        for cut in range(-1, len(text)):
            assert run(Inserting(new), pieces(text, cut)) == text.replace("", new)


def test_a_token_that_never_came_is_no_empty_token():
    strip = decoders.read({"type": "Strip", "content": " ", "start": 0, "stop": 1}, "decoder")
    assert run(strip.flow(), []) == ""
    assert run(Inserting("-"), []) == ""
    with pytest.raises(DecodeError):
        run(strip.flow(), [""])


def test_replacing_keeps_less_than_what_it_looks_for():
    stage = Replacing("abc", "-")
    assert stage.push("xab") == ["x"]
    assert stage.push("ab") == ["ab"]
    assert stage.push("c") == ["-"]


def outcome(work: Callable[[], Any]):
    try:
        return work()
    except DecodeError:
        return DecodeError


@pytest.mark.parametrize("start", [0, 1, 2, 3])
@pytest.mark.parametrize("stop", [0, 1, 2, 3])
def test_strip_of_a_growing_text_equals_strip_of_the_whole(start: int, stop: int):
    strip = decoders.read({"type": "Strip", "content": " ", "start": start, "stop": stop}, "decoder")
    for text in TEXTS:
        whole = outcome(lambda: strip.decode_chain([text])[0])  # noqa: B023 - called at once
        for cut in range(-1, len(text)):
            assert outcome(lambda: run(strip.flow(), pieces(text, cut))) == whole, (text, cut)  # noqa: B023


@pytest.mark.parametrize(
    "decoder",
    [
        {"type": "WordPiece", "prefix": "##", "cleanup": True},
        {"type": "CTC", "pad_token": "ab", "word_delimiter_token": "b", "cleanup": True},
        {"type": "CTC", "pad_token": "", "word_delimiter_token": "", "cleanup": True},
        {"type": "BPEDecoder", "suffix": "ab"},
        {"type": "BPEDecoder", "suffix": ""},
        {"type": "Metaspace", "replacement": "a", "prepend_scheme": "first", "split": True},
        {"type": "Metaspace", "replacement": "a", "prepend_scheme": "never", "split": True},
        {"type": "Replace", "pattern": {"String": "ab"}, "content": "b"},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
    ],
    ids=lambda decoder: decoder["type"],
)
def test_flow_equals_decoding_one_token(decoder: Any):
    made = decoders.read(decoder, "decoder")
    texts = [*TEXTS, "<0x41>", "<0x41>a", "<0x4", "a do not b n't x 's , .", " ' "]
    for text in texts:
        whole = "".join(made.decode_chain([text]))
        for cut in range(-1, len(text)):
            assert run(made.flow(), pieces(text, cut)) == whole, (text, cut)


def test_a_chain_gives_the_rest_of_each_stage_to_the_next():
    chain = Chain([Replacing("ab", "c"), Replacing("ca", "d")])
    assert run(chain, ["xa", "ba", "a"]) == "xda"


def test_a_first_token_that_ends_within_a_character_is_given_at_the_end():
    stage = ByteFallback().stream(grain=Grain.FIRST_TOKEN)
    assert (stage.push("<0xE2>"), stage.finish()) == ([], ["\ufffd"])


def test_a_later_token_that_ends_within_a_character_is_given_at_the_end():
    stage = ByteFallback().stream(grain=Grain.FIRST_TOKEN)
    assert (stage.push("a"), stage.push("<0xE2>"), stage.finish()) == (["a"], [], ["\ufffd"])


@pytest.mark.parametrize(("source", "grain"), [("a", Grain.CHARACTER), ("ab", Grain.TOKEN)])
def test_a_replacement_of_one_character_may_be_cut_anywhere(source: str, grain: Grain):
    assert Replace(TextPattern("String", source), "x").grain is grain
