"""Random models over tiny alphabets: vocabularies and merges that compete."""

from __future__ import annotations

from random import Random
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from tokassay.core.byte_alphabet import spell

from .parts import flag, rare

Json = Dict[str, Any]
ALPHABETS = (
    "ab ",
    "abc",
    "abAB 1\u2581",
    "xyz09 .,'",
    "a\u00e9e\u0301 \u2581",
    "\u4e2d\u6587a \n",
    "\u0120ab\u010a1",
    "\uac00\u1100\u1161a",
    "i\u0307\u0130\u03c3\u03c2\u03a3\u00dfs",
    "ab\U0001f600\u200d ",
)
UNKNOWN = "<unk>"
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))


def _alphabet(chance: Random) -> List[str]:
    chosen = chance.choice(ALPHABETS)
    chars = list(dict.fromkeys(spell(chosen) if rare(chance) else chosen))
    return [char for char in chars if not rare(chance)] or chars[:1]


def _unknown(chance: Random, vocab: List[str]) -> Optional[str]:
    """None, a token of the vocabulary, or (rarely) one that is not there."""
    if flag(chance):
        return None
    if not rare(chance):
        vocab.append(UNKNOWN)
    return UNKNOWN


def _numbered(chance: Random, tokens: Sequence[str]) -> Dict[str, int]:
    """Ids in order, or (rarely) with holes, or too large for 12 or 16 bits."""
    if not rare(chance):
        return {token: index for index, token in enumerate(dict.fromkeys(tokens))}
    step, first = chance.choice(((3, 1), (3, 1), (1, 5000), (1, 70000)))
    return {token: step * index + first for index, token in enumerate(dict.fromkeys(tokens))}


def _merged(chance: Random, vocab: List[str], prefix: str) -> List[List[str]]:
    """Merges of what is there already, their results added to the vocabulary."""
    merges: List[List[str]] = []
    for _ in range(chance.randint(0, 12)):
        left, right = chance.choice(vocab), chance.choice(vocab)
        tail = right[len(prefix) :] if prefix and right.startswith(prefix) else right
        if len(left) + len(tail) <= 8 and (not prefix or right.startswith(prefix)):
            merges.append([left, right])
            vocab.append(left + tail)
    return merges


def _fallback(chance: Random) -> Tuple[bool, Sequence[str]]:
    """Whether bytes stand in for what is not known, and which of their tokens there are."""
    on = chance.random() < 0.3
    return on, BYTES if on and not rare(chance) else BYTES[60:200] if on else ()


def bpe(chance: Random) -> Json:
    """Byte pair encoding with any of its options but dropout."""
    vocab = _alphabet(chance)
    prefix = "##" if rare(chance) else ""
    suffix = "</w>" if rare(chance) else ""
    vocab += [prefix + char for char in vocab] if prefix else []
    vocab += [char + suffix for char in vocab] if suffix else []
    merges = _merged(chance, vocab, prefix)
    unknown = _unknown(chance, vocab)
    fallback, tokens = _fallback(chance)
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": unknown,
        "continuing_subword_prefix": prefix or None,
        "end_of_word_suffix": suffix or None,
        "fuse_unk": flag(chance),
        "byte_fallback": fallback,
        "ignore_merges": flag(chance),
        "vocab": _numbered(chance, [*tokens, *vocab]),
        "merges": merges,
    }


def _words(chance: Random, most: int) -> List[str]:
    chars = _alphabet(chance)
    made = ["".join(chance.choice(chars) for _ in range(chance.randint(1, 4))) for _ in range(most)]
    return list(dict.fromkeys([*chars, *made]))


def unigram(chance: Random) -> Json:
    """Scores from few values, so that many paths tie or nearly do."""
    fallback, tokens = _fallback(chance)
    words = [*tokens, *_words(chance, chance.randint(0, 12))]
    scores = (-1.0, -2.0, -2.5, -3.0, -0.5, 0.0, -4.0)
    vocab = [[word, chance.choice(scores)] for word in words]
    unknown = None if rare(chance) else 0
    if unknown is not None:
        vocab.insert(0, [UNKNOWN, 0.0])
    return {"type": "Unigram", "unk_id": unknown, "vocab": vocab, "byte_fallback": fallback}


def wordpiece(chance: Random) -> Json:
    words = _words(chance, chance.randint(0, 10))
    prefix = chance.choice(("##", "##", "", "a"))
    tokens = [*words, *(prefix + word for word in words if flag(chance))]
    if not rare(chance):
        tokens.append("[UNK]")
    longest = chance.choice((100, 100, 1, 3))
    return {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": longest,
        "vocab": _numbered(chance, tokens),
    }


def wordlevel(chance: Random) -> Json:
    tokens = _words(chance, chance.randint(0, 10))
    if not rare(chance):
        tokens.append("[UNK]")
    return {"type": "WordLevel", "vocab": _numbered(chance, tokens), "unk_token": "[UNK]"}


MODELS: Sequence[Callable[[Random], Json]] = (bpe, bpe, unigram, wordpiece, wordlevel)


def model(chance: Random) -> Json:
    return chance.choice(MODELS)(chance)


def tokens_of(chosen: Json) -> List[str]:
    """The model's tokens in the order of the file."""
    vocab = chosen["vocab"]
    return [entry[0] for entry in vocab] if isinstance(vocab, list) else list(vocab)
