"""Added tokens equal the oracle's: what is found where, with which id, before and behind normalization."""

from __future__ import annotations

import random

import pytest

from tokassay.core.errors import EncodeError, FormatError
from tokassay.fuzzing.fronts import Front, Json, Oracle, difference, panics, random_added
from tokassay.fuzzing.odd_texts import odd_texts

SEED = 20261130
CONTENTS = (
    *(
        "<s>",
        "<a",
        "<",
        "ab",
        "a",
        "b",
        "AB",
        "é",
        "e\u0301",
        " ",
        "  ",
        "\n",
        "x y",
        "<|im|>",
        "<|im",
        "12",
        "漢",
        "[MASK]",
    ),
    *("ß", "ﬁ", "İ", "▁", "\u200b", "Ab1", "\t", "a ", " b", "\u0301", "^", "]", "-", "\\"),
)
NORMALIZERS = (
    None,
    {"type": "NFC"},
    {"type": "NFD"},
    {"type": "NFKC"},
    {"type": "Lowercase"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
    {"type": "Prepend", "prepend": "▁"},
    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    {"type": "ByteLevel"},
    {"type": "Nmt"},
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]},
    {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": ""}, {"type": "NFD"}]},
)
PRE_TOKENIZERS = (
    None,
    {"type": "WhitespaceSplit"},
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
    {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
)


def both(
    normalizer: Json, pre_tokenizer: Json, added: list[dict[str, object]]
) -> tuple[Oracle, Front] | None:
    """Oracle and reference, or None where the choice of the oracle is not defined or it may never end."""
    try:
        front = Front.of(normalizer, pre_tokenizer, added)
    except FormatError:
        with pytest.raises(BaseException) as caught:
            Oracle.of(normalizer, pre_tokenizer, added)
        assert panics(caught.value)
        return None
    if any(word in one.reason for one in front.added.warnings for word in ("varies", "to nothing")):
        return None
    return Oracle.of(normalizer, pre_tokenizer, added), front


def compare(rounds: int, texts: int, seed: int) -> None:
    chance = random.Random(seed)
    compared = 0
    for _ in range(rounds):
        normalizer, pre_tokenizer = chance.choice(NORMALIZERS), chance.choice(PRE_TOKENIZERS)
        added = random_added(chance, CONTENTS)
        pair = both(normalizer, pre_tokenizer, added)
        words = [token["content"] for token in added] + ["ab", " ", "  "]
        for text in odd_texts(chance.randrange(1 << 30), texts, words) if pair else ():
            found = difference(*pair, text)
            assert not found, f"{normalizer} {pre_tokenizer} {added}\n{found}"
            compared += 1
    assert compared > rounds * texts // 2


def test_pieces_and_ids_equal_the_oracle() -> None:
    compare(120, 12, SEED)


@pytest.mark.nightly
def test_pieces_and_ids_equal_the_oracle_on_many_texts() -> None:
    compare(4000, 25, SEED + 1)


def test_ids_in_force_are_the_oracles() -> None:
    chance = random.Random(SEED)
    for _ in range(200):
        added = random_added(chance, CONTENTS, most=8)
        added += [{**token, "normalized": False, "special": chance.random() < 0.5} for token in added[:2]]
        oracle, front = Oracle.of(None, None, added).tokenizer, Front.of(None, None, added).added
        decoder = {index: token.content for index, token in oracle.get_added_tokens_decoder().items()}
        assert {index: token.content for index, token in front.tokens.items()} == decoder
        assert all(front.id_to_token(index) == oracle.id_to_token(index) for index in decoder)
        assert all(front.token_to_id(content) == oracle.token_to_id(content) for content in CONTENTS)


def test_a_form_that_two_tokens_share_is_warned_of() -> None:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False)
    added = [
        {"id": i, "content": content, **flags, "normalized": True}
        for i, content in enumerate(("Hello", "hello"))
    ]
    front = Front.of({"type": "Lowercase"}, None, added)
    assert any("varies" in warning.reason for warning in front.added.warnings)
    assert front.pieces("hello") == [("hello", (0, 5), 1)]


WITHOUT_TEXT: list[tuple[str, dict[str, bool], list[str]]] = [
    ("alone", {}, []),
    ("among longer ones", {}, ["<x>", "a b"]),
    ("single words", {"single_word": True}, ["a b"]),
    ("lstrip", {"lstrip": True}, ["<x", " a"]),
    ("rstrip", {"rstrip": True}, ["ab", " a"]),
    ("both", {"lstrip": True, "rstrip": True}, ["<", "\u00e9<"]),
]


@pytest.mark.parametrize(("fact", "options", "others"), WITHOUT_TEXT)
def test_a_token_that_normalizes_to_nothing(fact: str, options: dict[str, bool], others: list[str]) -> None:
    """Only where the reference answers: elsewhere the oracle may take all memory."""
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False)
    added = [{"id": 9, "content": "\n", **flags, "normalized": True, **options}]
    added += [{"id": 9, "content": content, **flags, "normalized": True} for content in others]
    erase = {"type": "Replace", "pattern": {"String": "\n"}, "content": ""}
    pair = Oracle.of(erase, None, added), Front.of(erase, None, added)
    chance, answered = random.Random(SEED), 0
    for _ in range(300):
        text = "".join(chance.choice("aab<<xx> \n\u00e9") for _ in range(chance.randrange(7)))
        try:
            pair[1].added.split(text)
        except EncodeError:
            continue
        answered += 1
        assert not difference(*pair, text), fact
    assert answered > 60
