"""WordPiece, WordLevel and Unigram by small facts (clauses ``model.wordpiece`` and following)."""

from __future__ import annotations

import pytest

from tokassay.core.errors import EncodeError
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.models.wordpiece import WordPiece


def spans(model, piece):
    return [(token.value, token.start, token.end) for token in model.build().tokenize(piece)]


def wordpiece(tokens, **options):
    return WordPiece({token: index for index, token in enumerate(tokens)}, **options)


WORDPIECE = [
    ("longest from the left", ["[UNK]", "a", "ab", "##c", "##bc"], "abc", [("ab", 0, 2), ("##c", 2, 3)]),
    ("no stepping back", ["[UNK]", "ab", "a", "##bc"], "abc", [("[UNK]", 0, 3)]),
    ("a gap makes all unknown", ["[UNK]", "a"], "ab", [("[UNK]", 0, 2)]),
    ("characters, not bytes", ["[UNK]", "中", "##文"], "中文", [("中", 0, 1), ("##文", 1, 2)]),
]


@pytest.mark.parametrize(("fact", "tokens", "piece", "expected"), WORDPIECE)
def test_wordpiece(fact, tokens, piece, expected):
    assert spans(wordpiece(tokens), piece) == expected, fact


def test_wordpiece_counts_characters_before_it_gives_up():
    model = wordpiece(["[UNK]", "a", "##a"], max_input_chars_per_word=3)
    assert spans(model, "aaa") == [("a", 0, 1), ("##a", 1, 2), ("##a", 2, 3)]
    assert spans(model, "aaaa") == [("[UNK]", 0, 4)]


class Counted(dict):
    """A vocabulary that counts how often it is asked."""

    asked = 0

    def __contains__(self, token):
        self.asked += 1
        return super().__contains__(token)


def test_wordpiece_asks_for_nothing_longer_than_its_longest_entries():
    vocab = Counted({"[U]": 0, "a": 1, "##a": 2})
    model = WordPiece(vocab, unk_token="[U]", max_input_chars_per_word=10**6)
    assert len(spans(model, "a" * 400)) == 400
    assert vocab.asked < 3 * 400


def test_wordlevel_is_all_or_unknown():
    model = WordLevel({"ab": 0, "<unk>": 7})
    assert spans(model, "ab") == [("ab", 0, 2)]
    assert model.build().ids("a") == [7]


@pytest.mark.parametrize("model", [wordpiece(["a"]), WordLevel({"a": 0}), Unigram((("a", -1.0),))])
def test_an_unknown_without_a_token_is_an_error(model):
    assert model.build().ids("a") == [0]
    with pytest.raises(EncodeError):
        model.build().ids("b")
    with pytest.raises(EncodeError):
        model.build().tokenize("b")


UNIGRAM = [
    ("the best sum", [("?", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -3.0)], "ab", ["a", "b"]),
    ("of ties the longest last token", [("?", 0.0), ("a", -1.0), ("aa", -2.0)], "aaa", ["a", "aa"]),
    (
        "of equal entries the last",
        [("?", 0.0), ("ab", -1.0), ("a", -1.0), ("b", -1.0), ("ab", -9.0)],
        "ab",
        ["a", "b"],
    ),
    ("unknowns fuse", [("?", 0.0), ("a", -1.0)], "axya", ["a", "xy", "a"]),
    ("a literal unk entry fuses, too", [("?", 0.0), ("a", -1.0)], "a??a", ["a", "??", "a"]),
]


@pytest.mark.parametrize(("fact", "pieces", "piece", "expected"), UNIGRAM)
def test_unigram(fact, pieces, piece, expected):
    model = Unigram(tuple(pieces), 0)
    assert [token.value for token in model.build().tokenize(piece)] == expected, fact


def test_a_fused_unknown_is_looked_up_again():
    model = Unigram((("?", 100.0), ("a", 100.0), ("xy", 100.0)), 0)
    assert model.build().ids("axya") == [1, 2, 1]


def test_bytes_of_one_unknown_share_its_span():
    pieces = [("?", 0.0), ("a", -1.0), *((f"<0x{byte:02X}>", -2.0) for byte in range(256))]
    model = Unigram(tuple(pieces), 0, byte_fallback=True)
    assert spans(model, "aé") == [("a", 0, 1), ("<0xC3>", 1, 2), ("<0xA9>", 1, 2)]


def test_unigram_rounding_depends_on_everything_before():
    model = Unigram((("?", 0.0), ("a", -0.1), ("aa", -0.2), ("b", -0.3)), 0)
    for count in range(1, 200):
        piece = "b" * count + "aaa"
        assert model.build().ids(piece) == [token.id for token in model.build().tokenize(piece)]
