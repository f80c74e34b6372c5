"""Prompts as ids: no special token twice, and which ids the assistant wrote."""

from __future__ import annotations

import pytest

from tokassay import Tokenizer, chat, data

OWN = data.root() / "golden" / "tokenizers"
TURNS = [{"role": "user", "content": "a b"}, {"role": "assistant", "content": "c d"}]
MARKED = (
    "{% for m in messages %}{% if m.role == 'assistant' %}"
    "[{% generation %}{{ m.content }}{% endgeneration %}]"
    "{% else %}{{ m.content }} {% endif %}{% endfor %}"
)


@pytest.fixture(scope="module")
def gpt2():
    return Tokenizer.from_file(OWN / "gpt2" / "tokenizer.json")


def doubling():
    """A tokenizer whose post-processor puts its own tokens around a text."""
    for path in sorted(OWN.glob("*/tokenizer.json")):
        tokenizer = Tokenizer.from_file(path)
        plain = tokenizer.encode("a", add_special_tokens=False).ids
        if len(tokenizer.encode("a").ids) > len(plain):
            return tokenizer
    raise AssertionError("no such tokenizer")


def test_the_post_processor_adds_nothing():
    tokenizer = doubling()
    found = chat.encode(tokenizer, "{{ messages[0].content }}", "a")
    assert list(found.ids) == list(tokenizer.encode("a", add_special_tokens=False).ids)


def test_text_and_ids_belong_together(gpt2):
    found = chat.encode(gpt2, "{{ x }}{{ messages[0].content }}", "Hi", x="<")
    assert found.text == "<Hi"
    assert gpt2.decode(list(found.ids)) == "<Hi"


def test_the_mask_marks_what_the_assistant_wrote(gpt2):
    found = chat.encode(gpt2, MARKED, TURNS)
    offsets = gpt2.encode(found.text, add_special_tokens=False).offsets
    start = found.text.index("c d")
    expected = [int(a < start + 3 and b > start) for a, b in offsets]
    assert found.text == "a b [c d]"
    assert list(found.assistant) == expected
    assert sum(expected) > 0


def test_two_turns_are_two_spans(gpt2):
    found = chat.encode(gpt2, MARKED, [*TURNS, *TURNS])
    once = chat.encode(gpt2, MARKED, TURNS)
    assert sum(found.assistant) == 2 * sum(once.assistant)


def test_without_marks_nothing_is_masked(gpt2):
    found = chat.encode(gpt2, "{{ messages[0].content }}", "Hi", limits=chat.Limits(), path="p")
    assert set(found.assistant) == {0}


def test_a_token_counts_when_it_shares_a_character():
    from tokassay.chat.encoding import _mask

    offsets = [(0, 2), (2, 4), (4, 4), (4, 6), (6, 8)]
    assert _mask(offsets, ((1, 2), (5, 7))) == (1, 0, 0, 1, 1)
