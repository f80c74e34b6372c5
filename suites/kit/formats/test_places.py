"""Every fault of a file says where it is: a byte offset, a field, or both."""

from __future__ import annotations

import random

import pytest

from tokassay import FormatError, formats
from tokassay.formats.tokenizer_json.text import nested_too_deeply
from tokassay.fuzzing.documents import damage, documents, mutants, render


def fault(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        formats.parse(data, "file")
    return caught.value


def unplaced(data: bytes) -> bool:
    try:
        formats.parse(data, "mutant")
    except FormatError as error:
        return not error.reason or (error.offset is None and not error.field)
    return False


def test_every_changed_value_is_placed():
    texts = [text for place, document in documents() for text in mutants(document, place)]
    assert len(texts) > 1000
    assert [text for text in texts[::3] if unplaced(text.encode())] == []


def test_all_damaged_text_is_placed():
    rng = random.Random(20261130)
    bases = [render(document).encode() for _, document in documents()]
    assert [data for data in (damage(rng.choice(bases), rng) for _ in range(3000)) if unplaced(data)] == []


NUMBERS = [
    ("NaN", "NaN is not a JSON number"),
    ("-Infinity", "-Infinity is not a JSON number"),
    ("1e999", "number out of range"),
    ("9" * 5000, "number out of range"),
]


@pytest.mark.parametrize(("number", "reason"), NUMBERS, ids=["nan", "infinity", "float", "integer"])
def test_a_number_that_is_none_is_placed(number: str, reason: str):
    head = '{"version": "1.0", "\u00e9": "NaN [", "model": {"a\\"b": {}, "vocab": [["x", 0], ["y", '
    found = fault((head + number + "]]}}").encode())
    assert found.offset == len(head.encode())
    assert found.field == "model.vocab[1][1]"
    assert reason in found.reason


@pytest.mark.parametrize("depth", [5000, 200_000])
def test_nesting_is_placed_where_it_becomes_too_deep(depth: int):
    found = fault(b'{"model": ' + b"[" * depth)
    assert found.offset == len(b'{"model": ') + 126
    assert found.field is not None
    assert found.field.startswith("model[0][0]")
    assert len(found.field) < 100


def test_no_object_at_all_is_placed():
    with pytest.raises(FormatError) as caught:
        formats.parse(b"[]", "file", format="tokenizer.json")
    assert caught.value.offset == 0


def test_nesting_that_only_the_reader_cannot_follow_is_placed_at_its_deepest():
    found = nested_too_deeply(b'{"normalizer": {"a": [{"b": []}, 1]}, "model": {}}')
    assert (found.offset, found.field) == (28, "normalizer.a[0].b")
