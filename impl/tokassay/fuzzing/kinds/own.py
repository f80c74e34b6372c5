"""Texts made from the tokenizer itself: its vocabulary, merges, added tokens and patterns."""

from __future__ import annotations

import random

from ..matches import sample_match
from ..material import Material
from ._pools import mixed, words


def kind_vocabulary(rng: random.Random, material: Material) -> str:
    return words(rng, material.words)


def kind_vocabulary_spaced(rng: random.Random, material: Material) -> str:
    return words(rng, material.words, 5, " ")


def kind_vocabulary_cut(rng: random.Random, material: Material) -> str:
    """Tokens with an end cut off, glued together."""
    cut = (word[rng.randint(0, len(word) - 1) :] for word in (rng.choice(material.words) for _ in range(4)))
    return "".join(cut) + rng.choice(material.words)[:-1]


def kind_merge_pairs(rng: random.Random, material: Material) -> str:
    return "".join("".join(rng.choice(material.merges)) for _ in range(rng.randint(1, 4)))


def kind_merge_overlaps(rng: random.Random, material: Material) -> str:
    """Merges that compete: the right half of one is glued to the left half of another."""
    (a, b), (c, d) = rng.choice(material.merges), rng.choice(material.merges)
    return rng.choice([a + b + d, a + c + d, b + c, a + b + c + d, b + a, a + a + b, a + b + b])


def kind_added_tokens(rng: random.Random, material: Material) -> str:
    return mixed(rng, rng.choice(material.added), rng.choice(material.added), " ", "a", "  ", "\n", "x1")


def kind_added_look_alikes(rng: random.Random, material: Material) -> str:
    token = rng.choice(material.added)
    at = rng.randint(0, len(token))
    return rng.choice(
        [
            token[:-1],
            token[1:],
            token + token[1:],
            token.swapcase(),
            token[:at] + " " + token[at:],
            token.replace(" ", "\u00a0"),
            token[:at] + token,
        ]
    )


def kind_added_in_context(rng: random.Random, material: Material) -> str:
    token = rng.choice(material.added)
    return (
        rng.choice(["", "a", " ", "\u3000", "_", "é", "\n ", "\u200b"])
        + token
        + rng.choice(["", "b", " ", "  c", "1", "\u2028", ".", "\u0301"])
    )


def kind_pattern_matches(rng: random.Random, material: Material) -> str:
    """Strings that the pipeline's regular expressions match."""
    return "".join(sample_match(rng, material.patterns) for _ in range(rng.randint(1, 4)))


def kind_pattern_near_misses(rng: random.Random, material: Material) -> str:
    text = sample_match(rng, material.patterns) + sample_match(rng, material.patterns)
    at = rng.randint(0, max(0, len(text) - 1))
    return rng.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + rng.choice("' \n1a.é") + text[at:],
            text[::-1],
            text.swapcase(),
        ]
    )
