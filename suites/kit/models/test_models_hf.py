"""Random small models against HF: ids, values, spans and refusals."""

from __future__ import annotations

import random

import pytest
from tokenizers import models as hf

from tokassay.core.errors import EncodeError
from tokassay.core.models.bpe import BPE
from tokassay.core.models.unigram import Unigram
from tokassay.core.models.wordlevel import WordLevel
from tokassay.core.models.wordpiece import WordPiece

LENGTHS = [1, 2, 3, 5, 9, 20, 70, 230]


def theirs(model, piece):
    """(id, value, characters) or None where HF fails."""
    try:
        tokens = model.tokenize(piece)
    except Exception:  # noqa: BLE001 - every failure counts the same
        return None
    owner = [i for i, character in enumerate(piece) for _ in character.encode()] + [len(piece)]
    return [(t.id, t.value, (owner[t.offsets[0]], owner[t.offsets[1] - 1] + 1)) for t in tokens]


def ours(model, piece):
    segmenter = model.build()
    try:
        tokens = segmenter.tokenize(piece)
    except EncodeError:
        with pytest.raises(EncodeError):
            segmenter.ids(piece)
        return None
    assert segmenter.ids(piece) == [token.id for token in tokens]
    return [(token.id, token.value, (token.start, token.end)) for token in tokens]


def random_text(chance, alphabet):
    strange = chance.choice(["", "", "x", "éx", "中"])
    return "".join(chance.choice(alphabet + strange) for _ in range(chance.choice(LENGTHS)))


def random_bpe(chance, alphabet):
    options = {name: chance.random() < 0.3 for name in ("byte_fallback", "fuse_unk", "ignore_merges")}
    prefix, suffix = chance.choice(["", "", "", "##"]), chance.choice(["", "", "", "</w>"])
    starts = [chance.choice(["<unk>", alphabet[0]]), *alphabet]
    tokens = [p + start + s for start in starts for p in {"", prefix} for s in {"", suffix}]
    vocab = {token: index for index, token in enumerate(dict.fromkeys(tokens))}
    if options["byte_fallback"]:
        for byte in range(chance.choice([0, 3]), 256):
            vocab.setdefault(f"<0x{byte:02X}>", len(vocab))
    merges = []
    for _ in range(chance.randint(0, 14)):
        left, right = chance.choice(tokens), chance.choice(tokens)
        made = left + right[len(prefix) :]
        if right.startswith(prefix) and len(made) < 14:
            vocab.setdefault(made, len(vocab))
            tokens.append(made)
            merges.append((left, right))
    if chance.random() < 0.5:
        chance.shuffle(merges)
    if prefix:
        options["continuing_subword_prefix"] = prefix
    if suffix:
        options["end_of_word_suffix"] = suffix
    if chance.random() < 0.7:
        options["unk_token"] = "<unk>"
    return vocab, merges, options


@pytest.mark.parametrize("alphabet", ["ab", "abc", "aé中", "ab▁"])
def test_bpe(alphabet):
    chance = random.Random(alphabet)
    for _ in range(120):
        vocab, merges, options = random_bpe(chance, alphabet)
        oracle, model = hf.BPE(vocab=vocab, merges=merges, **options), BPE(vocab, tuple(merges), **options)
        model.build().fast.patience = chance.choice([0, 4096])
        for _ in range(10):
            piece = random_text(chance, alphabet)
            if options["byte_fallback"] and (
                options.keys() & {"continuing_subword_prefix", "end_of_word_suffix"}
            ):
                continue  # more bytes than the piece has: spans are out of its range in HF
            assert ours(model, piece) == theirs(oracle, piece), (vocab, merges, options, piece)


def test_bpe_with_two_tokens_of_one_id():
    chance = random.Random(11)
    for _ in range(300):
        vocab, merges, options = random_bpe(chance, "ab")
        one, two = chance.choice(list(vocab)), chance.choice(list(vocab))
        vocab[one] = vocab[two]
        oracle, model = hf.BPE(vocab=vocab, merges=merges, **options), BPE(vocab, tuple(merges), **options)
        for _ in range(6):
            piece = random_text(chance, "ab")
            try:
                wanted = [token.id for token in oracle.tokenize(piece)]
            except Exception:  # noqa: BLE001 - every failure counts the same
                wanted = None
            found = ours(model, piece)
            assert wanted == (found and [token[0] for token in found]), (vocab, merges, options, piece)


@pytest.mark.parametrize("alphabet", ["ab", "abc", "aé中"])
def test_unigram(alphabet):
    chance = random.Random(alphabet)
    for _ in range(150):
        tokens = ["".join(chance.choice(alphabet) for _ in range(chance.randint(1, 5))) for _ in range(12)]
        scores = chance.choice([[-1.0, -2.0], [-0.1, -0.2, -0.3, -0.7], [1.0, 2.0, 0.5]])
        pieces = [("<unk>", 0.0), *((token, chance.choice(scores)) for token in tokens)]
        fallback = chance.random() < 0.3
        if fallback:
            pieces += [(f"<0x{byte:02X}>", 0.0) for byte in range(chance.choice([0, 200]), 256)]
        unknown = chance.choice([0, 0, 0, 1, None])
        oracle, model = hf.Unigram(pieces, unknown, fallback), Unigram(tuple(pieces), unknown, fallback)
        for _ in range(8):
            piece = random_text(chance, alphabet) + chance.choice(["", "<unk><unk>"])
            assert ours(model, piece) == theirs(oracle, piece), (pieces, unknown, piece)


@pytest.mark.parametrize("prefix", ["##", "#", "", "a"])
def test_wordpiece_and_wordlevel(prefix):
    chance = random.Random(prefix)
    for _ in range(120):
        heads = ["".join(chance.choice("abc") for _ in range(chance.randint(1, 4))) for _ in range(8)]
        tokens = [*heads, *(prefix + head for head in heads[:6]), *chance.choice([[], ["[UNK]"]])]
        vocab = {token: index for index, token in enumerate(dict.fromkeys(tokens))}
        most = chance.choice([0, 4, 100])
        options = {
            "unk_token": "[UNK]",
            "continuing_subword_prefix": prefix,
            "max_input_chars_per_word": most,
        }
        pairs = [
            (hf.WordPiece(vocab, **options), WordPiece(vocab, **options)),
            (hf.WordLevel(vocab, unk_token="[UNK]"), WordLevel(vocab, "[UNK]")),
        ]
        for oracle, model in pairs:
            for piece in [*heads[:3], *(random_text(chance, "abc#") for _ in range(6))]:
                assert ours(model, piece) == theirs(oracle, piece), (vocab, options, piece)
