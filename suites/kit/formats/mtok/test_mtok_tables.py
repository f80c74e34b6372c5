"""Tables that stay in the file: found by bisection, equal to the plain model."""

from __future__ import annotations

import random
import struct
from typing import Dict, List, Tuple

import pytest

from tokassay import FormatError
from tokassay.core.models.bpe import BPE
from tokassay.core.models.ordering import by_number
from tokassay.core.models.sorted_bpe import SortedBPE
from tokassay.core.models.sorted_merges import SortedMerges
from tokassay.core.models.sorted_vocabulary import SortedVocabulary
from tokassay.formats.mtok.projecting import sorted_bpe


def vocabulary(count: int, seed: int = 1) -> Dict[str, int]:
    choose = random.Random(seed)
    tokens = {"".join(choose.choices("abé世 \U0001f600\0", k=choose.randint(0, 60))) for _ in range(count)}
    return {token: index for index, token in enumerate(sorted(tokens, key=lambda _: choose.random()))}


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 64, 1000])
def test_every_token_is_found_and_no_other(count: int) -> None:
    plain = vocabulary(count)
    table = SortedVocabulary.of(plain)
    assert dict(table.items()) == plain
    assert len(table) == len(plain)
    assert all(table[token] == index for token, index in plain.items())
    assert all(table.find(token + "x") is None for token in plain)
    assert "zz" not in table
    assert 3 not in table
    assert all(table.tokens[index] == token for token, index in plain.items())
    assert dict(zip(table, table.values())) == plain  # read apart, tokens and ids stay in one order


def test_equal_tables_have_equal_bytes() -> None:
    plain = vocabulary(100)
    assert SortedVocabulary.of(plain) == SortedVocabulary.of(dict(reversed(plain.items())))
    assert SortedVocabulary.of(plain) != SortedVocabulary.of({**plain, "z": 1})
    assert SortedVocabulary.of(plain) != plain
    assert SortedMerges.of([(1, 2, 3)]) == SortedMerges.of([(1, 2, 3)]) != object()


def test_what_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        SortedVocabulary.of({"a": 1})["b"]


def record(token: bytes, index: int) -> bytes:
    return struct.pack(f"<H{len(token)}sI", len(token), token, index)


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([(b"b", 0), (b"a", 1)], "not sorted"),
        ([(b"a", 0), (b"a", 1)], "not sorted"),
        ([(b"a", 0), (b"\xff", 1)], "invalid UTF-8"),
        ([(b"a", 7), (b"b", 7)], "id 7 belongs to"),
    ],
)
def test_content_is_proven_when_it_is_read(records: List[Tuple[bytes, int]], reason: str) -> None:
    data = b"".join(record(*one) for one in records)
    table = SortedVocabulary.walk(data, 0, len(records))
    with pytest.raises(FormatError, match=reason) as caught:
        dict(table.items())
    assert caught.value.offset in (7, 9)
    assert caught.value.field == "model.vocab"


def test_a_look_up_that_meets_disorder_says_where() -> None:
    data = record(b"b", 0) + record(b"a", 1) + record(b"c", 2)
    with pytest.raises(FormatError, match="not sorted") as caught:
        SortedVocabulary.walk(data, 0, 3).find("c")
    assert caught.value.offset == 7


@pytest.mark.parametrize("size", [1, 30, 300, 65_535])
def test_records_must_end_inside_the_file(size: int) -> None:
    data = b"".join(record(f"{index:05}".encode(), index) for index in range(40)) + record(b"z" * size, 40)
    assert len(SortedVocabulary.walk(data, 0, 41)) == 41
    with pytest.raises(FormatError, match="ends within an entry"):
        SortedVocabulary.walk(data[:-1], 0, 41)
    with pytest.raises(FormatError, match="do not fit"):
        SortedVocabulary.walk(data, 0, 2**31)


def test_a_token_of_65536_bytes_cannot_be_written() -> None:
    assert len(SortedVocabulary.of({"x" * 65_535: 0})) == 1
    with pytest.raises(FormatError, match="65536 bytes"):
        SortedVocabulary.of({"x" * 65_536: 0})


def random_model(seed: int) -> BPE:
    """Merges in random order of rank, some of which are repeated."""
    choose = random.Random(seed)
    tokens = list("abcd")
    merges: List[Tuple[str, str]] = []
    for _ in range(choose.randint(0, 30)):
        pair = (choose.choice(tokens), choose.choice(tokens))
        merges.append(pair)
        if "".join(pair) not in tokens:
            tokens.append("".join(pair))
    choose.shuffle(merges)
    return BPE({token: index for index, token in enumerate(tokens)}, merges)


@pytest.mark.parametrize("numbers", [[], [0], [2, 0, 1], [9, 2, 70_000], [1, 2, 3]])
def test_places_in_the_order_of_their_numbers(numbers: List[int]) -> None:
    assert [numbers[place] for place in by_number(numbers)] == sorted(numbers)


@pytest.mark.parametrize("number", [1, 70_000])
def test_a_number_that_comes_twice_has_no_order(number: int) -> None:
    with pytest.raises(ValueError, match="2"):
        by_number([number, number])


def test_ids_with_holes_are_read_by_rising_ids() -> None:
    table = SortedVocabulary.of({"a": 7, "b": 2, "c": 90})
    assert list(table.whole.items()) == [("b", 2), ("a", 7), ("c", 90)]


@pytest.mark.parametrize("seed", range(60))
def test_bisection_merges_as_the_plain_model(seed: int) -> None:
    plain = random_model(seed)
    lazy = sorted_bpe(plain, byte_level=False)
    choose = random.Random(seed)
    for _ in range(40):
        text = "".join(choose.choices("abcdx", k=choose.randint(1, 80)))
        wanted = plain.build().ids(text)
        assert lazy.build().ids(text) == wanted
        assert [token.id for token in lazy.build().tokenize(text)] == wanted


def test_after_a_while_the_plain_model_takes_over() -> None:
    plain = random_model(3)
    segmenter = sorted_bpe(plain, byte_level=False).build()
    answers = [segmenter.ids("abcd" * 16) for _ in range(80)]
    assert segmenter.patience.left <= 0
    assert answers == [plain.build().ids("abcd" * 16)] * 80


def test_byte_tokens_stand_for_unknown_characters() -> None:
    vocab = {"a": 0, **{f"<0x{byte:02X}>": byte + 1 for byte in range(256)}}
    lazy = SortedBPE(SortedVocabulary.of(vocab), SortedMerges.of([]), byte_fallback=True)
    assert lazy.build().ids("aé") == [0, 0xC3 + 1, 0xA9 + 1]
    dropping = SortedBPE(SortedVocabulary.of(vocab), SortedMerges.of([]))
    assert dropping.build().ids("aéa") == [0, 0]


def test_a_byte_level_model_spells_bytes_itself() -> None:
    vocab = {"Ã": 0, "©": 1, "Ã©": 2, "Ġ": 3}
    lazy = SortedBPE(SortedVocabulary.of(vocab), SortedMerges.of([(0, 1, 0)]), byte_level=True)
    assert lazy.build().ids("é é") == [2, 3, 2]
    tokens = lazy.build().tokenize("é é")
    assert [(token.value, token.start, token.end) for token in tokens] == [
        ("Ã©", 0, 1),
        ("Ġ", 1, 2),
        ("Ã©", 2, 3),
    ]


@pytest.mark.parametrize(
    ("merges", "reason", "offset"),
    [
        ([(0, 1, 0), (0, 0, 1)], "makes 'aa', which is not in the vocabulary", 0),
        ([(0, 1, 0), (0, 9, 1)], "names an id that no token has", 12),
        ([(0, 1, 5), (1, 0, 5)], "rank 5 comes twice", 12),
    ],
)
def test_merges_are_proven_when_they_are_read(
    merges: List[Tuple[int, int, int]], reason: str, offset: int
) -> None:
    lazy = SortedBPE(SortedVocabulary.of({"a": 0, "b": 1, "ab": 2, "ba": 3}), SortedMerges.of(merges))
    with pytest.raises(FormatError, match=reason) as caught:
        lazy.prove()
    assert caught.value.offset == offset


def test_merges_must_be_sorted() -> None:
    data = struct.pack("<6I", 1, 0, 0, 0, 1, 1)
    lazy = SortedBPE(SortedVocabulary.of({"a": 0, "b": 1, "ab": 2, "ba": 3}), SortedMerges(data, 0, 2))
    with pytest.raises(FormatError, match="merges are not sorted") as caught:
        lazy.prove()
    assert caught.value.offset == 12


def test_a_pair_that_comes_twice_is_found_before_others() -> None:
    data = struct.pack("<9I", 0, 1, 0, 0, 1, 1, 1, 0, 2)
    lazy = SortedBPE(SortedVocabulary.of({"a": 0, "b": 1, "ab": 2, "ba": 3}), SortedMerges(data, 0, 3))
    with pytest.raises(FormatError, match="comes twice") as caught:
        lazy.prove()
    assert caught.value.offset == 12


def test_copied_columns_are_the_columns() -> None:
    merges = SortedMerges.of([(0, 1, 0), (0, 2, 1), (1, 0, 2), (1, 5, 3), (2, 2, 4)])
    assert [list(column) for column in merges._copied()] == [list(column) for column in merges.columns]


def test_a_merge_that_makes_no_token_is_met_while_encoding() -> None:
    lazy = SortedBPE(SortedVocabulary.of({"a": 0, "b": 1}), SortedMerges.of([(0, 1, 0)]))
    with pytest.raises(FormatError, match="makes 'ab'") as caught:
        lazy.build().ids("ab")
    assert caught.value.offset == 0


def test_more_merges_than_bytes() -> None:
    with pytest.raises(FormatError, match="do not fit"):
        SortedMerges(b"\0" * 12, 0, 2)
