"""Arguments that are no text and no id: errors that say what takes them (clause ``encoding.arguments``)."""

from __future__ import annotations

import json

import pytest

from tokassay import Tokenizer, formats


def make() -> Tokenizer:
    model = {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1, "b": 2}, "unk_token": "[UNK]"}
    return Tokenizer.from_description(formats.parse(json.dumps({"version": "1.0", "model": model}).encode()))


WRONG_ARGUMENTS = [
    ("text", lambda t: t.encode(None), "a text is a str, not None (NoneType)"),
    (
        "list",
        lambda t: t.encode(["a"]),
        "a text is a str, not ['a'] (list); for a list of texts use encode_batch",
    ),
    ("bytes", lambda t: t.encode(b""), "a text is a str, not b'' (bytes); for bytes use encode_bytes"),
    ("pair", lambda t: t.encode("a", 5), "a text is a str, not 5 (int)"),
    (
        "bytes as text",
        lambda t: t.encode_bytes("a"),
        "encode_bytes takes bytes, not 'a' (str); for a text use encode",
    ),
    (
        "one text",
        lambda t: t.encode_batch("ab"),
        "a batch is a list of texts, not 'ab' (str); for one text use encode",
    ),
    ("no batch", lambda t: t.encode_batch(5), "a batch is a list of texts, not 5 (int)"),
    (
        "item",
        lambda t: t.encode_batch(["a", 5]),
        "texts[1] is 5 (int): a batch holds texts (str) or (text, pair) tuples",
    ),
    (
        "ids",
        lambda t: t.decode("x"),
        "ids are a list of integers, not 'x' (str); for a token use token_to_id",
    ),
    ("no ids", lambda t: t.decode(5), "ids are a list of integers, not 5 (int)"),
    ("id", lambda t: t.decode([0, None]), "ids[1] is None (NoneType): ids are integers"),
    ("bytes of ids", lambda t: t.decode_bytes([0.5]), "ids[0] is 0.5 (float): ids are integers"),
    ("batch of ids", lambda t: t.decode_batch([1]), "ids are a list of integers, not 1 (int)"),
    ("step", lambda t: t.decode_stream().step(None), "the id is None (NoneType): ids are integers"),
    ("token", lambda t: t.token_to_id(5), "a token is a str, not 5 (int); for an id use id_to_token"),
    ("id of a token", lambda t: t.id_to_token("a"), "the id is 'a' (str): ids are integers"),
]


@pytest.mark.parametrize(("fact", "call", "message"), WRONG_ARGUMENTS)
def test_a_wrong_argument_is_named_with_what_takes_it(fact, call, message):
    with pytest.raises(TypeError) as caught:
        call(make())
    assert str(caught.value) == message, fact


@pytest.mark.parametrize("wrong", [-1, 2**32, 10**9000], ids=["negative", "too large", "huge"])
def test_an_integer_that_is_no_id_is_a_value_error(wrong):
    made = make()
    for call in (
        lambda: made.decode([wrong]),
        lambda: made.id_to_token(wrong),
        lambda: made.decode_stream().step(wrong),
    ):
        with pytest.raises(ValueError, match=r"ids are in 0\.\.4294967295"):
            call()


def test_ids_may_be_any_integers_and_pairs_lists():
    made = make()
    assert made.decode(iter([True])) == made.decode([1])
    assert made.encode_batch([["a", "b"]]) == [made.encode("a", "b")]
    assert made.encode_bytes(bytearray(b"a")) == made.encode_bytes(memoryview(b"a")) == made.encode("a")
