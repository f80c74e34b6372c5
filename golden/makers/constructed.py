"""Constructed tokenizers: every boundary decision shows in the ids. Each function is a recipe.

With a trained vocabulary a wrong cut often gives the same ids; where every pair of bytes is a merge
it does not. The pairs are over bytes that pre-tokenizers tell apart (all 256 bytes are tokens).
"""

from __future__ import annotations

from itertools import product
from typing import Iterable

from common import DEEPSEEK, LLAMA3, O200K, byte_letters, split
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

# Letters of contractions and both cases, digits, spaces, signs, and the bytes of some letters beyond ASCII.
_TEXT = "asStTrevmldDbyxX0129 \t\n\r'-./_,!(<|>½éſ中一한٣😀\u0301\u3000\u2028\xa0"


def pairs_over(alphabet: Iterable[int], descending: bool, *patterns: str) -> Tokenizer:
    """A byte-level tokenizer in which any two neighbours out of `alphabet` merge, and nothing longer."""
    letters = byte_letters()
    chosen = [letters[byte] for byte in sorted(set(alphabet))]
    merges = list(product(chosen, chosen))
    tokens = [letters[byte] for byte in range(256)] + [left + right for left, right in merges]
    if descending:
        merges.reverse()
    tokenizer = Tokenizer(models.BPE({token: index for index, token in enumerate(tokens)}, merges))
    cuts = [split(pattern) for pattern in patterns]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [*cuts, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not patterns)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _pairs(descending: bool, *patterns: str) -> Tokenizer:
    return pairs_over(_TEXT.encode(), descending, *patterns)


def pairs_ascending_gpt2() -> Tokenizer:
    """Every pair of bytes merges, in ascending order, after GPT-2's expression."""
    return _pairs(False)


def pairs_descending_gpt2() -> Tokenizer:
    """Every pair of bytes merges, in descending order, after GPT-2's expression."""
    return _pairs(True)


def pairs_ascending_llama3() -> Tokenizer:
    """Every pair of bytes merges, in ascending order, after Llama 3's expression."""
    return _pairs(False, LLAMA3)


def pairs_descending_llama3() -> Tokenizer:
    """Every pair of bytes merges, in descending order, after Llama 3's expression."""
    return _pairs(True, LLAMA3)


def pairs_ascending_o200k() -> Tokenizer:
    """Every pair of bytes merges, in ascending order, after o200k's expression."""
    return _pairs(False, O200K)


def pairs_descending_deepseek() -> Tokenizer:
    """Every pair of bytes merges, in descending order, after DeepSeek's three expressions."""
    return _pairs(True, *DEEPSEEK)


def competing_merges() -> Tokenizer:
    """Long merges over three letters in a scrambled order: neighbours compete for the letter between them."""
    words = ["".join(letters) for size in range(2, 6) for letters in product("abc", repeat=size)]
    order = sorted(words, key=lambda word: (len(word) > 3, hash_of(word)))
    vocab = {token: index for index, token in enumerate([*"abc", "<unk>", *order])}
    merges = []
    for word in order:
        cut = 1 + hash_of(word[::-1]) % (len(word) - 1)
        merges.append((word[:cut], word[cut:]))
    tokenizer = Tokenizer(models.BPE(vocab, merges, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


def hash_of(text: str) -> int:
    """A small fixed scramble (Python's own hash changes with every process)."""
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def _unigram(bend: float) -> Tokenizer:
    words = ["".join(letters) for size in range(1, 5) for letters in product("abc", repeat=size)]
    entries = [(word, -1.1 * len(word) + bend * (hash_of(word) % 7 - 3)) for word in words]
    entries += [("▁", -0.1), ("▁a", -1.2), ("▁ab", -2.3)]
    tokenizer = Tokenizer(models.Unigram([("<unk>", 0.0), *entries], unk_id=0))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    return tokenizer


def unigram_ties() -> Tokenizer:
    """Unigram whose segmentations score equal up to rounding: the order of trials decides."""
    return _unigram(0.0)


def unigram_near_ties() -> Tokenizer:
    """Unigram whose scores differ in their last bits only."""
    return _unigram(2.0**-50)
