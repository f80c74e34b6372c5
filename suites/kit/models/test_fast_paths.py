"""Short-cuts give what the definitions give (clauses ``model.bpe.pair-validity`` and ``model.bpe.cuts``)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tokassay import Tokenizer
from tokassay.core.byte_alphabet import CHAR_OF_BYTE, spell
from tokassay.core.memo import Memo
from tokassay.core.models.bpe import BPE
from tokassay.core.models.bpe_bytes import ByteBPE
from tokassay.core.models.bpe_cuts import Division
from tokassay.core.models.bpe_fast import BYTE_TOKENS
from tokassay.core.models.bpe_merge import merge_plain, merge_queue
from tokassay.core.models.unigram import Unigram, best_path, fuse_unknown

ALPHABETS = ["ab", "abc", "a▁b", "aé中", "▁a.>0"]


def random_bpe(chance, alphabet, **options):
    """A small random merge list, in random order: parts may rank above what they make."""
    vocab = {character: index for index, character in enumerate(alphabet)}
    merges = []
    for _ in range(chance.randint(0, 16)):
        left, right = chance.choice(list(vocab)), chance.choice(list(vocab))
        if len(left + right) <= 10:
            vocab.setdefault(left + right, len(vocab))
            merges.append((left, right))
    chance.shuffle(merges)
    return BPE(vocab, tuple(merges), **options)


def random_piece(chance, alphabet, longest=260):
    return "".join(chance.choice(alphabet) for _ in range(chance.randint(1, longest)))


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_queue_search_and_cuts_give_what_the_definition_gives(alphabet):
    chance = random.Random(alphabet)
    for _ in range(60):
        model = random_bpe(chance, alphabet)
        fast = model.build().fast
        fast.settle()
        for _ in range(4):
            piece = random_piece(chance, alphabet)
            symbols = model.alphabet.symbols(piece)
            wanted = merge_plain(symbols, fast.merges)
            assert merge_queue(symbols, fast.merges) == wanted
            ids = [index for index, _ in wanted]
            assert list(fast.ids(piece)) == fast.search(piece) == ids
            parts = Division.of(model.merges).chunks(piece)
            assert "".join(parts) == piece
            assert [index for part in parts for index in fast.ids(part)] == ids


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_sought_ranks_are_those_of_the_table(alphabet):
    chance = random.Random(alphabet)
    for _ in range(60):
        model = random_bpe(chance, alphabet)
        model = BPE(
            model.vocab, (*model.merges, *tuple(model.merges)[:3])
        )  # of equal pairs the last one counts
        ids = range(len(model.vocab))
        table, sought = model.table.ranks, model.sought.ranks
        wanted = [table[left].get(right, -1) for left in ids for right in ids]
        assert [sought[left].get(right, -1) for left in ids for right in ids] == wanted


def test_the_first_short_texts_need_no_table():
    model = random_bpe(random.Random(1), "abc")
    fast = model.build().fast
    fast.ids("abc" * 80)
    assert fast.merges is model.sought
    fast.ids("cba" * 300)
    assert fast.merges is model.table


@pytest.mark.parametrize("whole", [False, True])
def test_cuts_between_characters_give_what_the_spelled_piece_gives(whole):
    chance = random.Random(7)
    text = "中文字é한あ𝄞a "
    for _ in range(40):
        vocab = {character: index for index, character in enumerate(CHAR_OF_BYTE)}
        merges = []
        for _ in range(40):
            spelled = spell(random_piece(chance, text, 4))
            left, right = chance.choice([(spelled[:i], spelled[i:]) for i in range(1, len(spelled) + 1)])
            if left in vocab and right in vocab:
                vocab.setdefault(left + right, len(vocab))
                merges.append((left, right))
        segmenter = BPE(vocab, tuple(merges), ignore_merges=whole).build()
        raw = ByteBPE(segmenter.fast, whole)
        raw.patience = 1
        if chance.random() < 0.5:
            segmenter.fast.settle()  # from then on short pieces are merged from their bytes
        for _ in range(20):
            piece = random_piece(chance, text, 40)
            assert list(raw.ids(piece)) == [token.id for token in segmenter.tokenize(spell(piece))]


def test_merges_of_what_only_looks_like_utf_8_join_nothing():
    """The bytes of a surrogate, joined to a character by a merge: in no text, but in a file."""
    surrogate, euro = spell("\ud7ff")[0] + CHAR_OF_BYTE[0xA0] + CHAR_OF_BYTE[0x80], spell("€")
    merges = [pair for word in (surrogate, euro) for pair in ((word[0], word[1]), (word[:2], word[2]))]
    merges.append((surrogate, euro))
    vocab = dict.fromkeys([*CHAR_OF_BYTE, *("".join(pair) for pair in merges)])
    segmenter = BPE({entry: index for index, entry in enumerate(vocab)}, tuple(merges)).build()
    raw = ByteBPE(segmenter.fast, False)
    raw.patience = 1
    assert list(raw.ids("€中€")) == [token.id for token in segmenter.tokenize(spell("€中€"))]


def test_a_character_whose_bytes_are_unknown_parts_nothing():
    """It vanishes, and those around it are joined: nothing may be cut there, however much text has come."""
    vocab = {spell("é")[0]: 0, spell("é")[1]: 1, spell("é"): 2, spell("éé"): 3}
    model = BPE(vocab, ((spell("é")[0], spell("é")[1]), (spell("é"), spell("é"))))
    raw = ByteBPE(model.build().fast, False)
    for _ in range(3):
        assert list(raw.ids("éжéжé")) == [3, 2]
        raw.ids("é" * 4000)


def test_a_line_end_that_goes_on_is_no_place_to_cut():
    vocab = {token: index for index, token in enumerate((*BYTE_TOKENS, "\n", "a", "\na"))}
    model = BPE(vocab, (("\n", "a"),), byte_fallback=True).build()
    assert not model.is_cut_behind("\n")
    assert model.is_cut_behind("a")


def test_tokens_of_one_id_are_merged_by_the_queue():
    """The pair that a step was noted for has changed, and makes the same id: it fires at the old rank."""
    texts = ("a", "b", "c", "ba", "ca", "aa", "cac", "caccac", "caccacba", "caca")
    merges = (("b", "a"), ("c", "a"), ("a", "a"), ("ca", "c"), ("cac", "cac"), ("caccac", "ba"), ("ca", "ca"))
    model = BPE(dict(zip(texts, (4, 4, 2, 7, 4, 5, 2, 0, 8, 0))), merges)
    fast = model.build().fast
    for _ in range(2):
        wanted = [index for index, _ in merge_queue(model.alphabet.symbols("babccaaaa"), fast.merges)]
        assert list(fast.ids("babccaaaa")) == wanted
        fast.settle()


def test_unigram_trie_finds_the_best_path():
    chance = random.Random(3)
    for _ in range(150):
        pieces = [(random_piece(chance, "abc", 4), chance.choice([-0.1, -0.2, -0.3, -1.1])) for _ in range(9)]
        model = Unigram((("?", 0.0), *pieces), 0)
        for _ in range(6):
            piece = random_piece(chance, "abcx", 60)
            assert model.build().trie.path(piece) == best_path(model, piece)


@pytest.mark.parametrize("fallback", [False, True])
def test_runs_of_characters_that_no_entry_has_give_what_the_definition_gives(fallback):
    chance = random.Random(5)
    for _ in range(80):
        pieces = [(random_piece(chance, "abc", 4), chance.choice([-0.1, -0.2, -0.3, -1.1])) for _ in range(9)]
        pieces += [(f"<0x{byte:02X}>", 0.0) for byte in range(chance.choice([0, 200]), 256)]
        model = Unigram((("?", 0.0), *pieces), 0, fallback)
        for _ in range(4):
            piece = random_piece(chance, "abcééé中中中中", 200)
            surfaces = [piece[start:end] for start, end in best_path(model, piece)]
            segmenter = model.build()
            named = [segmenter._named(surface) for surface in fuse_unknown(model, surfaces)]
            assert segmenter.ids(piece) == [index for names in named for index, _ in names]
            assert segmenter.trie.path(piece) == best_path(model, piece)


def test_scores_beyond_the_range_of_doubles_take_the_definition():
    model = Unigram((("?", 0.0), ("a", -1.7e308)), 0)
    assert model.build().trie.path("aaa") is None
    assert model.build().ids("aaa") == [token.id for token in model.build().tokenize("aaa")]


def test_a_memo_is_bounded_and_keeps_no_long_keys():
    asked = []
    memo = Memo(lambda key: asked.append(key) or len(key), longest=3, most=2)
    assert [memo[key] for key in ["a", "a", "long", "long", "b", "c"]] == [1, 1, 4, 4, 1, 1]
    assert asked == ["a", "long", "long", "b", "c"]
    assert len(memo) <= 2


@pytest.mark.parametrize("name", ["qwen", "gemma", "t5"])
def test_what_is_forgotten_is_found_again(name):
    path = Path(__file__).parents[3] / "golden" / "tokenizers" / name / "tokenizer.json"
    ids = Tokenizer.from_file(path)._ids
    text = "def main(): return '中文' + 'naïve'  # 12\n" * 60
    wanted = ids.encode(text)
    ids.forget()
    assert not ids.texts
    assert not ids.pieces
    assert ids.encode(text) == wanted
